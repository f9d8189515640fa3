import type { QueryKey } from '@tanstack/react-query';
import { usePageAddress } from './page-address.ts';

/** The cluster or bundle this tab reads, which is in its address; undefined where there is none to read. */
export function useClusterTarget(): string | undefined {
  const [{ target }] = usePageAddress();
  return target === null || target === '' ? undefined : target;
}

/** Query key of a cluster read. */
export const clusterKey = (target: string | undefined, ...rest: QueryKey): QueryKey => [
  'cluster',
  target ?? null,
  ...rest,
];
