import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Header of an answer that names its request. */
export const requestIdHeader = 'x-request-id';

const ids = new WeakMap<IncomingMessage, string>();

/** Returns an ID for work without a request of its own, such as one of many streams on a connection. */
export function newRequestId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Returns the ID of a request, which is in an error's answer and in the log next to its cause. It is created
 * on first use; a header of the caller's is never used as the ID, because it would be written to the log.
 */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const id = newRequestId();
  ids.set(request, id);
  return id;
}
