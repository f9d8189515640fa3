import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Header of an answer that names its request. */
export const requestIdHeader = 'x-request-id';

const ids = new WeakMap<IncomingMessage, string>();

/** Returns an id for what has no request of its own, such as one stream of many on a connection. */
export function newRequestId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Returns the id of a request: what an error's answer shows and the log has beside its reason. It is made here for the
 * first who asks; a header of the caller's is never taken for one, because it would be written to the log.
 */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const id = newRequestId();
  ids.set(request, id);
  return id;
}
