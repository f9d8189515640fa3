import { heartbeatMs } from '#shared/api/events.ts';
import { CallFailed, parseJson, refusal, type Send } from '../call-route.ts';
import { parseEvents } from './parse-events.ts';
import type { HeardEvent } from './read-event.ts';

/** A stream that is silent for so long, in ms, is dead: the console sends a comment more often than that. */
const longestSilence = 2.5 * heartbeatMs;

type Reading = {
  readonly signal: AbortSignal;
  readonly hear: (event: HeardEvent) => void;
  readonly lastEventId?: string | undefined;
};

/**
 * Reads an event stream to its end. Throws `CallFailed`: with the status of the refusal, or without a status when the
 * stream broke; the signal's reason when it aborts; and what `hear` throws of that kind.
 */
export async function readStream(
  send: Send,
  address: string,
  { signal, hear, lastEventId }: Reading,
): Promise<void> {
  const leaving = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const leave = (): void => leaving.abort();
  signal.addEventListener('abort', leave);
  const onBytes = (): void => {
    clearTimeout(silence);
    silence = setTimeout(leave, longestSilence);
  };
  try {
    signal.throwIfAborted();
    onBytes();
    const response = await send(address, {
      headers: {
        Accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
      },
      cache: 'no-store',
      signal: leaving.signal,
    });
    if (!response.ok) throw refusal(response, await response.text());
    const type = response.headers.get('Content-Type') ?? '';
    if (response.body === null || !type.startsWith('text/event-stream'))
      throw new CallFailed('Unavailable', 'The console answered no events.', response.status);
    for await (const { event, data, id } of parseEvents(response.body, onBytes))
      hear({ event, data: parseJson(data), id });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallFailed ? error : broken();
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', leave);
    leave();
  }
}

/** The failure of a stream that ended in the middle. */
export function broken(): CallFailed {
  return new CallFailed('Unavailable', 'The connection to the console broke.', undefined);
}

/** Tells whether the console refused the request; otherwise the connection broke and a retry may succeed. */
export function isRefusal(error: unknown): error is CallFailed {
  return error instanceof CallFailed && error.status !== undefined;
}
