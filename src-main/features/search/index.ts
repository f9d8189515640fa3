import type { Handlers } from '#shared/api/handler.ts';
import { searchGroups } from '#shared/api/search.ts';
import { pageHref } from '#shared/page-address.ts';
import { queryParts, rankTitle } from '#shared/search/match-name.ts';
import { clusterReading } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { bestMatches, createMatches } from './best-matches.ts';
import { shownName } from './entries.ts';
import type { Entry } from './kept-entries.ts';
import { createOtherSources, type OtherSources } from './other-sources.ts';
import { createClusterSearch, type FoundGroup, type Query } from './search-cluster.ts';

type SearchParts = OtherSources & { readonly targetOf: OpenTargetOf };

/** Results of one group unless the query says how many. */
const usualLimit = 6;

/** `GET /api/search`: everything that has a name and that the caller may read. */
export function searchHandlers({ targetOf, ...sources }: SearchParts): Handlers<'search.find'> {
  const searchCluster = createClusterSearch(sources.now);
  const readOthers = createOtherSources(sources);
  return {
    'search.find': async ({ query: { q, namespace, limit = usualLimit, ...named } }, { caller }) => {
      const query: Query = { parts: queryParts(q), namespace, limit };
      const target = await targetOf(named.target, caller);
      if (query.parts.length === 0)
        return { groups: [], pending: false, ...clusterReading(target, [nothing(sources.now())]) };
      const name =
        target.id === undefined
          ? undefined
          : (await sources.targets.list()).find(({ id }) => id === target.id)?.name;
      const [objects, others] = await Promise.all([
        searchCluster(target, name ?? target.id, query),
        readOthers(caller.email),
      ]);
      const found: FoundGroup[] = [...objects.groups];
      for (const [group, entries] of others.entries) {
        const { items, more, rank } = await bestEntries(entries, query);
        if (items.length > 0)
          found.push({
            group,
            more,
            rank,
            items: items.map(({ id, name: title, kind, detail, state, place }) => ({
              id,
              name: shownName(group, title),
              kind,
              detail,
              state,
              // What belongs to no cluster is opened without leaving the one that is read.
              address: pageHref(target.id === undefined ? place : { target: target.id, ...place }),
            })),
          });
      }
      const { source, ...reading } = clusterReading(
        target,
        objects.listings.length > 0 ? objects.listings : [nothing(sources.now())],
        [...objects.notRead, ...others.notSearched],
      );
      return {
        groups: found
          .toSorted(
            (a, b) => a.rank - b.rank || searchGroups.indexOf(a.group) - searchGroups.indexOf(b.group),
          )
          .map(({ group, items, more }) => ({ group, items, more })),
        pending: objects.pending || others.pending,
        source,
        ...reading,
      };
    },
  };
}

const nothing = (readAt: number) => ({ state: 'read', gaps: [], readAt }) as const;

function bestEntries(entries: readonly Entry[], { parts, limit }: Query) {
  const matches = createMatches<{ readonly entry: Entry; readonly at: number }>();
  for (const [at, entry] of entries.entries()) {
    const rank = rankTitle(entry.name, entry.also, parts);
    if (rank !== undefined) matches.add(rank, { entry, at });
  }
  return bestMatches(matches, limit, ({ entry, at }) => [entry.state === 'failing' ? 0 : 1, at, '']).then(
    ({ items, ...rest }) => ({ ...rest, items: items.map(({ entry }) => entry) }),
  );
}
