import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RouteOf } from '#shared/api/index.ts';
import { type CallAnswer, call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';

export type ObjectsPageAnswer = CallAnswer<RouteOf<'objects.list'>>;

/** A kind by its plural and group, as kubectl takes it. */
export type KindKey = { readonly group: string; readonly plural: string };

/** What a list of objects is asked for. */
export type ObjectsOf = KindKey & {
  readonly namespace: string | undefined;
  readonly selector: string | undefined;
};

/** Every kind of the target. */
export const kindsQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: clusterKey(target, 'object-kinds'),
    queryFn: () => call('objects.kinds', { query: { target } }),
  });

/**
 * Query key of what costs a cluster more than a cached listing: not read again at every change of something else, as the
 * keys of other cluster reads are.
 */
const objectsKey = (target: string | undefined, ...rest: readonly unknown[]) => [
  'objects',
  target ?? null,
  ...rest,
];

/** How many objects of each kind there are; slower than the kinds themselves. */
export const countsQuery = (target: string | undefined) =>
  queryOptions({
    queryKey: objectsKey(target, 'counts'),
    queryFn: () => call('objects.counts', { query: { target } }),
    staleTime: 60_000,
  });

/** The objects of a kind, page by page. */
export const objectsQuery = (target: string | undefined, of: ObjectsOf | undefined) =>
  infiniteQueryOptions({
    queryKey: objectsKey(target, 'list', of ?? null),
    initialPageParam: '',
    queryFn: ({ pageParam }): Promise<ObjectsPageAnswer> =>
      call('objects.list', {
        query: {
          target,
          group: of?.group ?? '',
          plural: of?.plural ?? '',
          namespace: of?.namespace,
          selector: of?.selector,
          continue: pageParam === '' ? undefined : pageParam,
        },
      }),
    getNextPageParam: (page: ObjectsPageAnswer) => page.continue,
    enabled: of !== undefined,
  });

/** One object with what it has to do with. */
export const objectViewQuery = (
  target: string | undefined,
  {
    group,
    kind,
    name,
    namespace,
  }: { group: string; kind: string; name: string; namespace: string | undefined },
) =>
  queryOptions({
    queryKey: objectsKey(target, 'view', group, kind, namespace ?? '', name),
    queryFn: () => call('objects.view', { params: { kind, name }, query: { target, group, namespace } }),
  });
