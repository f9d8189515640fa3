import { RequestError } from '@octokit/request-error';
import type { Octokit } from '@octokit/rest';
import { ConsoleError } from '#shared/errors.ts';
import { createAgentTokens } from './agent-tokens.ts';
import { type ApiRequest, createReads, within } from './conditional-reads.ts';
import {
  type Clients,
  type Connection,
  connect,
  createWire,
  identityOf,
  loadClients,
  type Wire,
} from './connection.ts';
import { messageOf, notReadBecause, waitOf } from './failures.ts';
import { noCodeHost, notSet } from './no-code-host.ts';
import { lineCommentsRequest, pullsRequest, verdictsRequest } from './pull-requests.ts';
import { createQuotaMeter } from './quota.ts';
import {
  commitRequest,
  containsRequest,
  fileRequest,
  issuesRequest,
  type RepositoryName,
  repositoriesRequest,
  statusesRequest,
} from './repository-requests.ts';
import {
  annotationsRequest,
  checkRunsRequest,
  runRequest,
  runsOfCommitRequest,
  runsRequest,
} from './run-requests.ts';
import type { CodeHost, CodeHostSettings, Installation, NotRead, Read, Repository } from './types.ts';

export type CodeHostOptions = {
  /** Read with every use, so that a change is in effect at once. */
  readonly settings: () => CodeHostSettings;
  /** Epoch ms. */
  readonly now: () => number;
};

/** Pages of a hundred repositories that are walked (CON-195). */
const mostPages = 10;

/** Time an installation's facts (its permissions, whether it is suspended) are cached, in ms. */
const installationFresh = 5 * 60_000;

/** GitHub, or GitHub Enterprise Server, as one installation of an App. */
export function createCodeHost({ settings, now }: CodeHostOptions): CodeHost {
  const wire = createWire();
  let attached: Attached | undefined;

  /** The attachment that the settings name by now; undefined while they name none. */
  const attachment = (): Attached | undefined => {
    const wanted = settings();
    if (!isSet(wanted)) {
      attached = undefined;
      return undefined;
    }
    const identity = identityOf(wanted);
    if (attached?.identity !== identity) {
      attached = { identity, ...createAttachment(wanted, () => settings().reserve, wire, now) };
    }
    return attached;
  };

  const read = async <D, T>(
    request: (name: RepositoryName) => ApiRequest<D, T>,
    repo = '',
  ): Promise<Read<T>> => {
    const to = attachment();
    if (to === undefined) return notSet;
    const connection = await to.connection();
    if ('ok' in connection) return connection;
    return to.reads.read(connection.octokit, request({ owner: connection.installation.org, repo }));
  };

  const allRepositories = async (): ReturnType<CodeHost['repositories']> => {
    const items: Repository[] = [];
    let all: { readAt: number; cached: boolean; stale?: string } = { readAt: now(), cached: true };
    for (let page = 1; page <= mostPages; page += 1) {
      const got = await read(() => repositoriesRequest(page));
      if (!got.ok) return got;
      items.push(...got.value.items);
      all = {
        readAt: Math.min(all.readAt, got.readAt),
        cached: all.cached && got.cached,
        ...(got.stale === undefined
          ? all.stale === undefined
            ? {}
            : { stale: all.stale }
          : { stale: got.stale }),
      };
      const { total, more } = got.value;
      if (!more || page === mostPages) {
        // A repository may move between pages while they are walked.
        const unique = [...new Map(items.map((item) => [item.name, item])).values()];
        return { ok: true, value: { items: unique, truncated: more, total }, ...all };
      }
    }
    throw new Error('unreachable: the last page returns');
  };

  const quota: CodeHost['quota'] = async () => {
    const to = attachment();
    const connection = await to?.connection();
    if (to === undefined || connection === undefined || 'ok' in connection) return undefined;
    await to.reads.learnQuota(connection.octokit).catch(() => undefined);
    return to.meter.now();
  };

  return {
    source: 'github',
    async installation() {
      const to = attachment();
      if (to === undefined) return notSet;
      const connection = await to.connection(installationFresh);
      if ('ok' in connection) return connection;
      return { ok: true, value: connection.installation, readAt: connection.since, cached: true };
    },
    repositories: allRepositories,
    issues: (repo, query) => read((name) => issuesRequest(name, query), repo),
    commitStatuses: (repo, ref, page) => read((name) => statusesRequest(name, ref, page), repo),
    workflowRuns: (repo) => read((name) => runsRequest(name), repo),
    workflowRun: (repo, id) => read((name) => runRequest(name, id), repo),
    workflowRunsOf: (repo, sha) => read((name) => runsOfCommitRequest(name, sha), repo),
    checkRuns: (repo, checkSuite) => read((name) => checkRunsRequest(name, checkSuite), repo),
    annotations: (repo, checkRun) => read((name) => annotationsRequest(name, checkRun), repo),
    pullsOf: (repo, sha) => read((name) => pullsRequest(name, sha), repo),
    async pullComments(repo, number) {
      const [lines, verdicts] = await Promise.all([
        read((name) => lineCommentsRequest(name, number), repo),
        read((name) => verdictsRequest(name, number), repo),
      ]);
      if (!lines.ok) return lines;
      if (!verdicts.ok) return verdicts;
      const value = [...lines.value, ...verdicts.value].toSorted((a, b) => a.at.localeCompare(b.at));
      return { ...lines, value, readAt: Math.min(lines.readAt, verdicts.readAt) };
    },
    commit: (repo, ref) => read((name) => commitRequest(name, ref), repo),
    contains: (repo, sha, head) => read((name) => containsRequest(name, sha, head), repo),
    file: (repo, path, sha) => read((name) => fileRequest(name, path, sha), repo),
    async runLogs(repo, runId, signal) {
      const to = attachment();
      if (to === undefined) return noCodeHost.runLogs(repo, runId, signal);
      return to.logs(repo, runId, signal);
    },
    verify: createAgentTokens({ attachment, wire, now }).verify,
    quota,
    waitingUntil: () => attachment()?.meter.waitingUntil(),
    prepare: async () => void (await quota()),
    close: wire.close,
  };
}

/** Tries settings out without keeping anything: the installation they lead to, or why to none. */
export async function tryCodeHost(
  settings: CodeHostSettings,
  now: () => number,
): Promise<Read<Installation>> {
  const codeHost = createCodeHost({ settings: () => settings, now });
  try {
    return await codeHost.installation();
  } finally {
    codeHost.close();
  }
}

/** A code host as one set of settings reaches it. */
export type Attachment = {
  /** Signed in once and shared; `fresh`: not longer ago than so many ms. */
  connection(fresh?: number): Promise<Connection | NotRead>;
  readonly reads: ReturnType<typeof createReads>;
  readonly meter: ReturnType<typeof createQuotaMeter>;
  logs(repo: string, runId: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  readonly settings: CodeHostSettings;
};
type Attached = Attachment & { readonly identity: string };

function isSet({ appId, privateKey }: CodeHostSettings): boolean {
  return appId !== undefined && privateKey !== undefined;
}

function createAttachment(
  settings: CodeHostSettings,
  reserve: () => number,
  wire: Wire,
  now: () => number,
): Attachment {
  let signedIn: Connection | undefined;
  let signingIn: Promise<Connection | NotRead> | undefined;
  const meter = createQuotaMeter(now);
  const reads = createReads({
    fetch: wire.json.fetch,
    meter,
    reserve,
    now,
    onSignedOut: () => {
      signedIn = undefined;
    },
  });

  let loading: Promise<Clients> | undefined;
  const clients = (): Promise<Clients> => {
    loading ??= loadClients(settings, wire);
    return loading;
  };

  const signIn = async (): Promise<Connection | NotRead> => {
    try {
      const connection = await within(
        clients().then((loaded) => connect(loaded, settings.installationId, now)),
      );
      signedIn = connection;
      return connection;
    } catch (error) {
      signedIn = undefined;
      return notReadBecause(error);
    }
  };

  const connection = async (fresh = Number.POSITIVE_INFINITY): Promise<Connection | NotRead> => {
    if (signedIn !== undefined && now() - signedIn.since < fresh) return signedIn;
    signingIn ??= signIn().finally(() => {
      signingIn = undefined;
    });
    return signingIn;
  };

  const logs = async (
    repo: string,
    runId: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> => {
    const to = await connection();
    if ('ok' in to) throw notThere(to);
    const whyNot = meter.whyNot(reserve());
    if (whyNot !== undefined) throw notThere({ ok: false, kind: 'quota', reason: whyNot });
    const done = meter.begin();
    try {
      const { octokit, installation } = to;
      const answer = await within(
        openLogs(octokit, wire, { owner: installation.org, repo, run_id: runId }, signal),
      );
      meter.learn(answer.headers);
      if (!isStream(answer.data)) throw notThere({ ok: false, kind: 'unavailable', reason: 'it came empty' });
      return answer.data;
    } catch (error) {
      if (error instanceof ConsoleError) throw error;
      if (error instanceof RequestError && error.response !== undefined) {
        const wait = waitOf(error.status, messageOf(error), error.response.headers);
        if (wait !== undefined) meter.waitFor(wait);
      }
      throw notThere(notReadBecause(error));
    } finally {
      done();
    }
  };
  return { connection, reads, meter, logs, settings };
}

/** The archive as it comes: the library would otherwise read all of it into memory. */
function openLogs(
  octokit: Octokit,
  { archives }: Wire,
  names: { owner: string; repo: string; run_id: number },
  signal: AbortSignal,
): Promise<{ data: unknown; headers: Readonly<Record<string, string | number | undefined>> }> {
  return octokit.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}/logs', {
    ...names,
    request: { signal, fetch: archives.fetch, parseSuccessResponseBody: false },
  });
}

function isStream(data: unknown): data is AsyncIterable<Uint8Array> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

function notThere({ kind, reason }: NotRead): ConsoleError {
  return kind === 'not-found'
    ? new ConsoleError('NotFound', 'The code host no longer has a log of this run, or there is no such run.')
    : new ConsoleError('Unavailable', `The log was not read: ${reason}.`);
}
