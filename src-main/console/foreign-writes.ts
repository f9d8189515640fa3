import type { IncomingMessage } from 'node:http';
import { routeTable } from '#shared/api/index.ts';
import type { Route } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Audit, circumstancesOf } from '../features/audit/index.ts';
import { pathPattern } from './mount-routes.ts';

/** Most characters kept of an origin. */
const longestOrigin = 300;

/** Records a privileged write that the origin guard refused. Nobody waits for it, and who sent it is not looked up. */
export type ForeignWrites = (request: IncomingMessage, refusal: unknown) => void;

/** Builds the recorder; the audit trail bounds what is written. */
export function createForeignWrites(
  audit: Audit,
  log: { warn(fields: object, message: string): void },
): ForeignWrites {
  const table: readonly Route[] = routeTable;
  const writes = table.flatMap(({ access, method, path }) =>
    access.kind === 'write' ? [{ action: access.action, method, pattern: pathPattern(path) }] : [],
  );
  return (request, refusal) => {
    if (!(refusal instanceof ConsoleError) || refusal.name !== 'NotAllowed') return;
    const path = request.url?.split('?', 1)[0] ?? '';
    const write = writes.find(({ method, pattern }) => method === request.method && pattern.test(path));
    if (write === undefined) return;
    const { origin, 'user-agent': userAgent } = request.headers;
    const detail = {
      ...circumstancesOf({ address: request.socket.remoteAddress ?? 'unknown', userAgent }),
      ...(origin === undefined ? {} : { origin: origin.slice(0, longestOrigin) }),
    };
    audit
      .begin({ actor: 'anonymous', action: write.action, target: '(not read)' }, detail)
      .then((event) => event.refuse(refusal.message))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'a refused write of a foreign page was not recorded'),
      );
  };
}
