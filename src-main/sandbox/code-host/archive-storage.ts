import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerWith, httpServer, requestUrl } from '../../base/http-server.ts';
import { close, listen, urlOf } from '../listening.ts';
import type { Faults } from './faults.ts';
import { logArchive, signatureOf } from './log-archive.ts';
import type { SandboxRepository, SandboxRun, World } from './world.ts';

/** Lifetime of an archive's address, in ms. */
const addressLife = 60_000;

export type ArchiveStorage = {
  /** A signed, short-lived address of a run's log archive. */
  address(repo: SandboxRepository, run: SandboxRun): string;
  close(): Promise<void>;
};

/**
 * Serves log archives from a server of its own, as the code host does, so that a client that also sends its
 * token after a redirect is refused here, too.
 */
export async function startArchiveStorage(
  world: () => World,
  now: () => number,
  faults: Faults,
): Promise<ArchiveStorage> {
  const secret = randomBytes(24).toString('hex');
  const server = httpServer();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const refuse = (status: number, code: string): void => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`);
    };
    const target = requestUrl(request);
    if (target === undefined) {
      refuse(400, 'InvalidUri');
      return;
    }
    const [, repoId = '', runId = ''] = /^\/archives\/(\d+)\/(\d+)\.zip$/.exec(target.pathname) ?? [];
    const until = Number(target.searchParams.get('se'));
    if (request.headers.authorization !== undefined) {
      refuse(400, 'InvalidAuthenticationInfo');
      return;
    }
    if (target.searchParams.get('sig') !== signatureOf(secret, repoId, runId, until) || until < now()) {
      refuse(403, 'AuthenticationFailed');
      return;
    }
    const org = world().organisations.find((entry) =>
      entry.repositories.some(({ id }) => String(id) === repoId),
    );
    const repo = org?.repositories.find(({ id }) => String(id) === repoId);
    const run = repo?.runs.find(({ id }) => String(id) === runId);
    if (org === undefined || repo === undefined || run === undefined) {
      refuse(404, 'BlobNotFound');
      return;
    }
    const kinds = faults.meet(target.pathname).map(({ kind }) => kind);
    if (kinds.includes('hang')) return;
    logArchive(org.login, repo, run).then(
      (archive) => {
        const half = archive.subarray(0, archive.length >> 1);
        const head = { 'content-type': 'application/zip' };
        if (kinds.includes('truncated')) {
          response.writeHead(200, { ...head, 'content-length': half.length }).end(half);
          return;
        }
        response.writeHead(200, { ...head, 'content-length': archive.length });
        if (kinds.includes('short-body')) response.write(half, () => response.destroy());
        else response.end(archive);
      },
      () => response.destroy(),
    );
  };
  answerWith(server, { request: answer });
  await listen(server);
  return {
    address: (repo, run) => {
      const until = now() + addressLife;
      const query = new URLSearchParams({
        se: String(until),
        sig: signatureOf(secret, repo.id, run.id, until),
      });
      return `${urlOf(server)}/archives/${repo.id}/${run.id}.zip?${query}`;
    },
    close: () => close(server),
  };
}
