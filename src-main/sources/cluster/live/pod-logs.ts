import type { LogRead, LogRequest } from '../types.ts';
import { type Connection, readText } from './connection.ts';
import { answerFailure, networkFailure, statusMessage } from './failures.ts';

/** A container's log as the kubelet has it (core/v1, pods/log). */
export async function readPodLog(connection: Connection, request: LogRequest): Promise<LogRead> {
  const {
    namespace,
    pod,
    container,
    previous = false,
    follow = false,
    tail,
    since,
    timestamps = false,
    signal,
  } = request;
  const query = new URLSearchParams({
    container,
    ...(previous ? { previous: 'true' } : {}),
    ...(follow ? { follow: 'true' } : {}),
    ...(tail === undefined ? {} : { tailLines: `${tail}` }),
    ...(since === undefined ? {} : { sinceTime: new Date(since).toISOString() }),
    ...(timestamps ? { timestamps: 'true' } : {}),
  });
  const act = `read the log of ${container} of the pod ${pod} in ${namespace}`;
  try {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${query}`;
    const { status, header, body } = await connection.send({
      path,
      act,
      signal,
      ...(follow ? { silence: 0 } : {}),
    });
    if (status === 200) return { state: 'read', bytes: piecesOf(body, connection, signal) };
    const text = await readText(body, 64 * 1024);
    if (status === 204)
      return { state: 'missing', reason: `The pod ${pod} is on no node yet: ${container} has not started.` };
    const message = statusMessage(text);
    // 400 is what a kubelet answers for a container that never restarted, or has not started yet.
    if (status === 404 || (status === 400 && message !== undefined))
      return {
        state: 'missing',
        reason: message === undefined ? `There is no such log: ${act}.` : sentence(message),
      };
    return {
      state: 'unread',
      reason: answerFailure({ status, body: text, retryAfter: header('retry-after') }, act, connection.host())
        .message,
    };
  } catch (error) {
    if (signal.aborted) return { state: 'unread', reason: 'The read was ended.' };
    return { state: 'unread', reason: networkFailure(error, connection.host()).message };
  }
}

/** Ends quietly when the reader has had enough, and with a reason when the cluster breaks off. */
async function* piecesOf(
  body: AsyncIterable<Uint8Array>,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      connection.heard();
      yield piece;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw new Error(networkFailure(error, connection.host()).message, { cause: error });
  }
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}
