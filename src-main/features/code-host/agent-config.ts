import type { AgentConfig } from '#shared/api/code-host.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { CodeHost, Repository } from '../../sources/code-host/index.ts';
import { chooseRepositories } from '../runs/index.ts';
import { readAgentFile } from './agent-config-file.ts';

/** Path of the agent settings in every repository. */
const path = '.platform/agents.yaml';

/** Number of repositories read at a time. */
const workers = 4;

/**
 * Deadline for starting a read, in ms: later repositories are not read, so that a slow code host does not
 * delay the page.
 */
const allBegunWithin = 8_000;

type ConfigRead = {
  readonly item: AgentConfig;
  readonly readAt?: number;
  readonly unmeasured: readonly string[];
};

/** `GET /api/agent-config`. Never throws; what was not read is in `unmeasured`. */
export async function agentConfigs(
  codeHost: CodeHost,
  now: () => number,
  only?: string,
): Promise<RouteAnswer<RouteOf<'codeHost.agentConfig'>>> {
  const list = await codeHost.repositories();
  if (!list.ok) {
    return {
      items: [],
      source: 'unavailable',
      complete: false,
      read_at: new Date(now()).toISOString(),
      unmeasured: [`The repositories were not read: ${list.reason}.`],
    };
  }
  const choice = chooseRepositories(list, only, 'Settings of agents');
  const { chosen } = choice;
  const unmeasured = [...choice.unmeasured];
  const deadline = AbortSignal.timeout(allBegunWithin);
  const read = await inParallel(chosen, workers, (repository) =>
    deadline.aborted
      ? unread(repository, undefined, 'the code host was too slow to answer')
      : readConfig(codeHost, repository),
  );
  unmeasured.push(...read.flatMap((one) => one.unmeasured));
  return {
    items: read.map(({ item }) => item),
    source: codeHost.source,
    complete: unmeasured.length === 0,
    read_at: new Date(
      Math.min(list.readAt, ...read.map(({ readAt }) => readAt ?? list.readAt)),
    ).toISOString(),
    unmeasured,
  };
}

/** The file at the head of the default branch: the commit first, so that the answer names what it was read from. */
async function readConfig(codeHost: CodeHost, repository: Repository): Promise<ConfigRead> {
  const { name, defaultBranch } = repository;
  const head = await codeHost.commit(name, defaultBranch);
  if (!head.ok) return unread(repository, undefined, head.reason);
  const { sha } = head.value;
  const unmeasured = head.stale === undefined ? [] : [`The head of ${name} is an older one: ${head.stale}.`];
  const file = await codeHost.file(name, path, sha);
  const { readAt } = head;
  if (file.ok) return { item: item(repository, sha, 'read', readAgentFile(file.value)), readAt, unmeasured };
  if (file.kind === 'not-found') return { item: item(repository, sha, 'none'), readAt, unmeasured };
  return unread(repository, sha, file.reason);
}

async function unread(repository: Repository, sha: string | undefined, reason: string): Promise<ConfigRead> {
  return {
    item: item(repository, sha, 'unread'),
    unmeasured: [`${path} of ${repository.name} was not read: ${reason}.`],
  };
}

function item(
  { name, htmlUrl, defaultBranch }: Repository,
  sha: string | undefined,
  file: AgentConfig['file'],
  content: Pick<AgentConfig, 'agents' | 'errors'> = { agents: [], errors: [] },
): AgentConfig {
  const at = sha ?? defaultBranch.split('/').map(encodeURIComponent).join('/');
  return {
    repo: name,
    url: `${htmlUrl}/blob/${at}/${path}`,
    path,
    ...(sha === undefined ? {} : { commit: sha }),
    file,
    ...content,
  };
}
