import { request } from 'undici';

/** One server-sent event as it was read. */
export type ReadEvent = { readonly event: string; readonly data: unknown; readonly id?: string };

export type EventReader = {
  readonly status: number;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<ReadEvent | undefined>;
  /** The next event that this picks. Throws when the stream ends before. */
  until(picks: (event: ReadEvent) => boolean): Promise<ReadEvent>;
  /** Everything that came so far, as text. */
  text(): string;
  leave(): void;
};

/** Reads an event stream as it comes, without any help of a browser. */
export async function readEvents(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventReader> {
  const answer = await request(address, { headers: { accept: 'text/event-stream', ...headers } });
  const pieces = answer.body.setEncoding('utf8')[Symbol.asyncIterator]();
  let all = '';
  let unread = '';
  const next = async (): Promise<ReadEvent | undefined> => {
    for (;;) {
      const end = unread.indexOf('\n\n');
      if (end < 0) {
        const piece = await pieces.next();
        if (piece.done === true) return undefined;
        all += piece.value;
        unread += piece.value;
        continue;
      }
      const lines = unread.slice(0, end).split('\n');
      unread = unread.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const event = field('event');
      if (event === undefined) continue;
      const id = field('id');
      return { event, data: JSON.parse(field('data') ?? ''), ...(id === undefined ? {} : { id }) };
    }
  };
  return {
    status: answer.statusCode,
    next,
    async until(picks) {
      for (;;) {
        const event = await next();
        if (event === undefined) throw new Error(`the stream ended; it said ${all}`);
        if (picks(event)) return event;
      }
    },
    text: () => all,
    leave: () => void answer.body.on('error', () => undefined).destroy(),
  };
}
