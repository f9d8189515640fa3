import { heartbeatMs } from '#shared/api/events.ts';
import type { EventStream, StreamEvent } from '#shared/api/route.ts';
import { jsonChunks } from './json-text.ts';

/**
 * Writes events as server-sent events (WHATWG HTML, section 9.2), with a comment in between when the stream
 * is silent for `heartbeat` ms. The next event is pulled once the text of the previous one was taken, so a
 * slow reader slows the work down; a reader who leaves returns the iterator.
 */
export async function* eventText(events: EventStream, heartbeat = heartbeatMs): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const step = await within(next, heartbeat);
      if (step === undefined) {
        yield ': still here\n\n';
        continue;
      }
      if (step.done === true) return;
      yield* frame(step.value);
      next = iterator.next();
    }
  } finally {
    // Not awaited: an iterator that waits for something ends with the signal of its call, not before.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Formats one event as text. JSON contains no line breaks, so data cannot end the event or begin another. */
async function* frame({ event, data, id }: StreamEvent): AsyncGenerator<string> {
  for (const field of id === undefined ? [event] : [event, id]) {
    // Names are the route table's and ids the console's: one that could forge a field is a bug.
    if (/[\r\n\0]/.test(field)) throw new Error('An event has a name or an id of several lines.');
  }
  const [first = '', ...others] = await jsonChunks(data);
  const end = `${id === undefined ? '' : `\nid: ${id}`}\n\n`;
  yield `event: ${event}\ndata: ${first}${others.length === 0 ? end : ''}`;
  for (const [at, chunk] of others.entries()) yield at === others.length - 1 ? `${chunk}${end}` : chunk;
}

/** Resolves to what a promise does, or to undefined when it takes longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms).unref();
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
