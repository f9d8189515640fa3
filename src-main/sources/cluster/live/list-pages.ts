import { z } from 'zod';
import type { Connection } from './connection.ts';
import { ClusterFailure } from './failures.ts';
import { readListItems } from './list-items.ts';

const page = z.object({
  metadata: z.object({ resourceVersion: z.string().optional(), continue: z.string().optional() }),
});
type Page = z.infer<typeof page>;

/** Objects a page, as client-go asks for. */
const pageSize = 500;

type List = {
  readonly connection: Connection;
  /** Path of the kind, without a query. */
  readonly path: string;
  /** The action, for failure messages: `list pods`. */
  readonly act: string;
  readonly signal: AbortSignal;
};

/**
 * A whole list in pages, object by object. Each page names the next before its objects, so that the next one is asked for
 * while this one is read, and the server works meanwhile; one page is read at a time and one is under way, never more.
 *
 * Answers with the revision to watch from. Throws `ClusterFailure`.
 */
export async function readPages(list: List, onItem: (item: unknown) => void): Promise<string> {
  const { connection, path, act } = list;
  const given = new AbortController();
  const signal = AbortSignal.any([list.signal, given.signal]);
  const ahead = new Map<string, Promise<Page>>();

  /** `before` is the page whose objects come first. */
  const readPage = (token: string, before: Promise<unknown>): Promise<Page> => {
    const query = new URLSearchParams({ limit: `${pageSize}`, ...(token === '' ? {} : { continue: token }) });
    const reading: Promise<Page> = connection.read(
      { path: `${path}?${query}`, act, signal },
      async (bytes) => {
        await before;
        const result = await readListItems(heardBytes(bytes, connection), act, onItem, (head) => {
          const next = page.safeParse(head).data?.metadata.continue ?? '';
          if (next !== '') aheadOf(next, reading);
        });
        const answer = page.safeParse(result);
        if (answer.success) return answer.data;
        throw new ClusterFailure(
          'refused',
          `${connection.host()} answers in a way that is not understood: ${act}.`,
        );
      },
    );
    return reading;
  };
  const aheadOf = (token: string, before: Promise<unknown>): Promise<Page> => {
    const known = ahead.get(token);
    if (known !== undefined) return known;
    const requested = readPage(token, before);
    // Whose page before it failed is nobody's any more.
    requested.catch(() => undefined);
    ahead.set(token, requested);
    return requested;
  };

  try {
    let token = '';
    let reading = readPage(token, Promise.resolve());
    for (;;) {
      const { metadata } = await reading;
      ahead.delete(token);
      token = metadata.continue ?? '';
      if (token === '') return metadata.resourceVersion ?? '';
      reading = aheadOf(token, reading);
    }
  } finally {
    given.abort();
  }
}

/** Bytes as they come, each piece a sign that the server is there. */
export async function* heardBytes(
  body: AsyncIterable<Uint8Array>,
  connection: Connection,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    connection.heard();
    yield piece;
  }
}
