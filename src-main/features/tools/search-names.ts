import type { SearchGroup, SearchResult } from '#shared/api/search.ts';
import type { Asker } from './tool.ts';

/** Time between two looks at a search that is still being read, in ms, and looks at most. */
const lookEvery = 250;
const mostLooks = 8;

export type Found = SearchResult & { readonly group: SearchGroup };

/** Searches by name as the asker, and looks again while the cluster is still being read. */
export async function searchNames(
  query: Readonly<Record<string, string | undefined>>,
  asker: Asker,
): Promise<readonly Found[]> {
  for (let look = 1; ; look += 1) {
    const { groups, pending } = await asker.read('search.find', {
      query: { target: asker.target, ...query },
    });
    if (!pending || look === mostLooks)
      return groups.flatMap(({ group, items }) => items.map((item) => ({ ...item, group })));
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
    asker.signal.throwIfAborted();
  }
}
