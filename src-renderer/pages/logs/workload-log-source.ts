import { queryOptions } from '@tanstack/react-query';
import { type LogOwnerKind, logOwnerKind } from '#shared/api/workload-logs.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { call, pathOf } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';
import type { NamespaceAnswer } from '../../core/namespace-queries.ts';
import type { Address } from '../../core/page-address.ts';

/** Whose logs are merged. */
export type MergedOf =
  | { readonly kind: LogOwnerKind; readonly name: string; readonly selector?: undefined }
  | { readonly kind?: undefined; readonly name?: undefined; readonly selector: string };

/** What of the merged logs is read. */
export type MergedSource = {
  readonly target: string | undefined;
  readonly namespace: string;
  readonly of: MergedOf;
  readonly container: string | undefined;
  /** Pods, and containers as `pod/container`, that are left out. */
  readonly without: readonly string[];
  readonly previous: boolean;
  readonly follow: boolean;
  readonly since: string | undefined;
  readonly tail: string | undefined;
};

/** Reads whose logs an address merges; undefined for the log of one pod. */
export function workloadOf({ kind, name, selector }: Address): MergedOf | undefined {
  if (selector !== null && selector !== '') return { selector };
  const known = logOwnerKind.safeParse(kind);
  return known.success && name !== null ? { kind: known.data, name } : undefined;
}

/** The logs of a workload, such as `Deployment/web`, or of a label selector; of one pod without either. */
export function mergedPlace(place: {
  readonly namespace: string;
  readonly target: string | undefined;
  readonly workload?: string | undefined;
  readonly selector?: string | undefined;
}): PageAddress {
  const { namespace, target, workload, selector } = place;
  const [kind, name] = workload?.split('/') ?? [];
  return {
    tab: 'logs',
    namespace,
    ...(target !== undefined && { target }),
    ...(kind !== undefined && name !== undefined && { kind, name }),
    ...(selector !== undefined && selector !== '' && { selector }),
  };
}

/** The workloads of a namespace whose logs can be merged. */
export const workloadsIn = (answer: NamespaceAnswer | undefined): readonly string[] =>
  (answer?.workloads ?? [])
    .filter(({ kind }) => logOwnerKind.safeParse(kind).success)
    .map(({ kind, name }) => `${kind}/${name}`);

/** A title of whose logs are merged. */
export const mergedTitle = (of: MergedOf): string =>
  of.selector === undefined ? `${of.kind} ${of.name}` : of.selector;

const ofQuery = ({ kind, name, selector }: MergedOf) =>
  selector === undefined ? { kind, name } : { selector };

/** The pods whose logs are merged. */
export const logSourcesQuery = (target: string | undefined, namespace: string, of: MergedOf) =>
  queryOptions({
    queryKey: clusterKey(target, 'log-sources', namespace, of),
    queryFn: () => call('logs.sources', { query: { target, namespace, ...ofQuery(of) } }),
  });

/** The address of merged logs. */
export function mergedLogAddress(source: MergedSource): string {
  const { target, namespace, of, container, without, previous, follow, since, tail } = source;
  const query = new URLSearchParams({
    ...(target !== undefined && { target }),
    namespace,
    ...ofQuery(of),
    ...(container !== undefined && { container }),
    ...(without.length > 0 && { without: without.join(',') }),
    ...(previous && { previous: 'true' }),
    ...(follow && { follow: 'true' }),
    ...(since !== undefined && { since }),
    ...(tail !== undefined && { tail }),
  });
  return `${pathOf('logs.merged')}?${query}`;
}
