import type { SearchGroup, SearchResult } from '#shared/api/search.ts';
import { pageHref } from '#shared/page-address.ts';
import { rankName } from '#shared/search/match-name.ts';
import { createPace } from '../../base/pace.ts';
import type { Listing, Named } from '../../cluster-model/index.ts';
import { nowOf, type OpenTarget } from '../../sources/cluster/index.ts';
import { bestMatches, createMatches, type Matches } from './best-matches.ts';
import { createUrgency, type FoundObject, judgeFound } from './judge-found.ts';
import { createKeptListings } from './kept-listings.ts';
import { createKeptNames, type NamedObject } from './kept-names.ts';
import { groupOf, placeOf } from './object-places.ts';

export type Query = {
  /** Parts of the query, from `queryParts`. */
  readonly parts: readonly string[];
  readonly limit: number;
  readonly namespace: string | undefined;
};

/** The results of one group. */
export type FoundGroup = {
  readonly group: SearchGroup;
  readonly items: SearchResult[];
  readonly more: number;
  /** Score of the best match. */
  readonly rank: number;
};

export type ClusterSearch = {
  readonly groups: readonly FoundGroup[];
  readonly listings: readonly Listing<Named>[];
  readonly notRead: readonly string[];
  readonly pending: boolean;
};

/** Objects looked at between two looks at the clock. */
const perLook = 512;

/**
 * Returns the search over the objects of clusters. It goes through the watch caches as they are: at 10,000 pods their
 * names are looked through in some milliseconds, so no second copy of them is kept.
 */
export function createClusterSearch(now: () => number) {
  const listingsOf = createKeptListings();
  const namesOf = createKeptNames();
  const urgency = createUrgency();
  return async (target: OpenTarget, name: string | undefined, query: Query): Promise<ClusterSearch> => {
    const { listings, pending, unread } = await listingsOf(target.cluster);
    const at = nowOf(target.cluster, now);
    const found = new Map<SearchGroup, Matches<FoundObject>>();
    const pace = createPace();
    for (const [resource, { items }] of listings) {
      const group = groupOf(resource);
      const matches = found.get(group) ?? createMatches<FoundObject>();
      found.set(group, matches);
      const kind = resource.kind.toLowerCase();
      for (const [index, object] of items.entries()) {
        if (index % perLook === 0) await pace.breathe();
        const { metadata } = object;
        const beside = metadata.namespace === undefined ? [kind] : [metadata.namespace, kind];
        const rank = rankName(metadata.name.toLowerCase(), query.parts, beside);
        if (rank !== undefined) matches.add(rank, { resource, object });
      }
    }
    const groups: FoundGroup[] = [];
    for (const [group, matches] of found) {
      const { items, more, rank } = await bestMatches(matches, query.limit, (match) => [
        match.object.metadata.namespace === query.namespace && query.namespace !== undefined ? 0 : 1,
        urgency(match, at),
        match.object.metadata.name,
      ]);
      if (items.length === 0) continue;
      const verdictOf = await judgeFound(items, listings, at);
      groups.push({
        group,
        more,
        rank,
        items: items.map((item) => {
          const { state, reason } = verdictOf(item);
          const { metadata } = item.object;
          const { kind } = item.resource;
          return {
            id: `${kind}/${metadata.namespace ?? ''}/${metadata.name}`,
            name: metadata.name,
            kind,
            namespace: metadata.namespace,
            detail: reason,
            state,
            target: name,
            address: pageHref({
              ...placeOf(item.resource, item.object),
              ...(target.id !== undefined && { target: target.id }),
            }),
          };
        }),
      });
    }
    const names = await namesOf(target.cluster, [...listings.keys()]);
    addNamed(groups, await bestNamed(names.objects, query), { target, name, limit: query.limit });
    const isNamed = target.cluster.table !== undefined;
    const kindsOf = (kinds: readonly { readonly kind: string }[]): string =>
      new Intl.ListFormat('en-GB').format(kinds.map(({ kind }) => kind));
    return {
      groups,
      listings: [...listings.values()],
      pending: pending.length > 0 || names.pending,
      notRead: [
        ...(pending.length === 0 ? [] : [`Still being read: ${kindsOf(pending)}.`]),
        ...(names.pending ? ['Still being read: the names of other kinds.'] : []),
        ...(unread.length === 0 || isNamed
          ? []
          : [`Not searched until a page has read them: ${kindsOf(unread)}.`]),
      ],
    };
  };
}

/** The best matches among objects that are known by their names alone. */
async function bestNamed(objects: readonly NamedObject[], query: Query) {
  const matches = createMatches<NamedObject>();
  const pace = createPace();
  for (const [index, object] of objects.entries()) {
    if (index % perLook === 0) await pace.breathe();
    const kind = object.kind.kind.toLowerCase();
    const beside = object.namespace === undefined ? [kind] : [object.namespace, kind];
    const rank = rankName(object.name.toLowerCase(), query.parts, beside);
    if (rank !== undefined) matches.add(rank, object);
  }
  return bestMatches(matches, query.limit, ({ name, namespace }) => [
    namespace === query.namespace && query.namespace !== undefined ? 0 : 1,
    0,
    name,
  ]);
}

type BestNamed = Awaited<ReturnType<typeof bestNamed>>;

/** Adds them to the group of objects, behind those whose health is known. */
function addNamed(
  groups: FoundGroup[],
  { items, more, rank }: BestNamed,
  { target, name, limit }: { target: OpenTarget; name: string | undefined; limit: number },
): void {
  if (items.length === 0) return;
  const known = groups.find(({ group }) => group === 'objects');
  const all = [...(known?.items ?? []), ...items.map((item) => namedResult(item, target, name))];
  const merged: FoundGroup = {
    group: 'objects',
    items: all.slice(0, limit),
    more: (known?.more ?? 0) + more + Math.max(0, all.length - limit),
    rank: Math.min(rank, known?.rank ?? rank),
  };
  if (known === undefined) groups.push(merged);
  else groups.splice(groups.indexOf(known), 1, merged);
}

function namedResult(
  { kind: { kind, group, plural }, name, namespace }: NamedObject,
  target: OpenTarget,
  targetName: string | undefined,
): SearchResult {
  return {
    id: `${kind}.${group}/${namespace ?? ''}/${name}`,
    name,
    kind,
    namespace,
    target: targetName,
    address: pageHref({
      tab: 'objects',
      kind: group === '' ? plural : `${plural}.${group}`,
      record: namespace === undefined ? name : `${namespace}/${name}`,
      ...(target.id !== undefined && { target: target.id }),
    }),
  };
}
