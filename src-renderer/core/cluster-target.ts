import type { QueryKey } from '@tanstack/react-query';
import { usePageAddress } from './page-address.ts';

/** The cluster or bundle the address names; undefined reads the one the person chose. */
export function useClusterTarget(): string | undefined {
  const [{ target }] = usePageAddress();
  return target ?? undefined;
}

/** Query key of a cluster read. Choosing another target refetches them all. */
export const clusterKey = (target: string | undefined, ...rest: QueryKey): QueryKey => [
  'cluster',
  target ?? null,
  ...rest,
];
