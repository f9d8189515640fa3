import { z } from 'zod';
import { errorMessage } from '../../../../base/error-message.ts';
import type { RawObject } from '../../../../cluster-model/kinds/index.ts';
import type { Cluster } from '../../types.ts';

/** The outcome of reading a kind directly from the API. */
export type RawList =
  | { readonly state: 'read'; readonly apiVersion: string; readonly resourceVersion: string }
  /** `status` of HTTP, where there was an answer. */
  | { readonly state: 'failed'; readonly status: number | undefined; readonly reason: string };

/** Objects of one page; what a page of our own would be asked for is what kubectl asks for. */
const pageLength = 500;

const page = z.object({
  apiVersion: z.string().default('v1'),
  metadata: z.object({ continue: z.string().optional(), resourceVersion: z.string().optional() }).default({}),
  items: z
    .array(z.record(z.string(), z.unknown()))
    .nullish()
    .transform((items) => items ?? []),
});
/** Pages that were refused for their size are asked for again in smaller ones. */
const tooLarge = /\blarger than\b/;
const refusal = z.object({ message: z.string() });

/** Reads all objects of a path page by page. Pages that are more than can be read at once are asked for in smaller ones. */
export async function readRawList(
  cluster: Cluster,
  path: string,
  signal: AbortSignal,
  onItems: (items: readonly RawObject[]) => void,
): Promise<RawList> {
  let limit = pageLength;
  let next = '';
  for (;;) {
    const query = new URLSearchParams({ limit: String(limit), ...(next === '' ? {} : { continue: next }) });
    const answer = await cluster.httpGet(`${path}?${query}`, signal);
    signal.throwIfAborted();
    if (answer.state === 'read' && answer.status !== 200)
      return { state: 'failed', status: answer.status, reason: reasonOf(answer.body, answer.status) };
    const read = answer.state === 'read' ? parsePage(answer.body) : answer.reason;
    if (typeof read === 'string') {
      if (limit === 1 || !tooLarge.test(read)) return { state: 'failed', status: undefined, reason: read };
      limit = Math.max(1, Math.floor(limit / 5));
      continue;
    }
    onItems(read.items);
    next = read.metadata.continue ?? '';
    if (next === '')
      return {
        state: 'read',
        apiVersion: read.apiVersion,
        resourceVersion: read.metadata.resourceVersion ?? '',
      };
  }
}

/** The page, or why it is none. */
function parsePage(body: string): z.infer<typeof page> | string {
  try {
    return page.parse(JSON.parse(body));
  } catch (error) {
    return error instanceof SyntaxError
      ? 'the answer is larger than can be read, or no JSON'
      : `the answer is no list (${errorMessage(error).split('\n')[0]})`;
  }
}

/** An answer of the API that is no list, as its Status says. */
export function reasonOf(body: string, status: number): string {
  try {
    return refusal.parse(JSON.parse(body)).message;
  } catch {
    return `the API server answered ${status}`;
  }
}
