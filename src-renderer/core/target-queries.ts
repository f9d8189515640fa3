import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { RouteOf } from '#shared/api/index.ts';
import type { Target } from '#shared/api/targets.ts';
import { type CallAnswer, call } from './api.ts';
import { useClusterTarget } from './cluster-target.ts';
import { usePageAddress } from './page-address.ts';
import { useReading } from './reading.tsx';

export type TargetsAnswer = CallAnswer<RouteOf<'targets.list'>>;

/** Refresh interval of the target list, in milliseconds. */
const everyMs = 10_000;

/** Clusters and bundles that can be read, and the one the person chose. */
export const targetsQuery = queryOptions({ queryKey: ['targets'], queryFn: () => call('targets.list') });

/** Bundles that are open or being opened. */
const bundlesQuery = queryOptions({ queryKey: ['bundles'], queryFn: () => call('bundles.list') });

/** The targets, kept fresh. */
export function useTargets() {
  const { every } = useReading();
  return useQuery({ ...targetsQuery, refetchInterval: every(everyMs) });
}

/** The target that this tab reads: the one the address names; the person's last choice until one is written there. */
export function useCurrentTarget(): {
  readonly id: string | undefined;
  /** Undefined for one that is not among the targets. */
  readonly target: Target | undefined;
} {
  const named = useClusterTarget();
  const { data } = useTargets();
  const id = named ?? data?.chosen;
  return { id, target: data?.items.find((item) => item.id === id) };
}

/** Stores a target as the person's choice: the one an address without a target is opened with. */
export function useRememberTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (target: string) => call('targets.select', { body: { target } }),
    onSuccess: ({ chosen }) =>
      client.setQueryData(targetsQuery.queryKey, (before) => before && { ...before, chosen }),
  });
}

/**
 * Returns how to choose what this tab reads, a step to come back from; other tabs keep theirs. It is remembered as the
 * last choice where the console answers: the tab reads it in any case.
 */
export function useChooseTarget(): (target: string) => void {
  const [{ tab }, go] = usePageAddress();
  const { mutate: remember } = useRememberTarget();
  return useCallback(
    (target) => {
      // What is open on the page belongs to the target before.
      go({ ...(tab !== null && { tab }), target });
      remember(target);
    },
    [go, tab, remember],
  );
}

/** Contacts a target anew, its kubeconfig read again. */
export function useRetryTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (target: string) => call('targets.retry', { body: { target } }),
    onSuccess: async (target) => {
      client.setQueryData(
        targetsQuery.queryKey,
        (before) =>
          before && { ...before, items: before.items.map((item) => (item.id === target.id ? target : item)) },
      );
      await client.invalidateQueries({ queryKey: ['cluster'] });
    },
  });
}

/** Closes a bundle, or ends its opening. */
export function useCloseBundle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('bundles.close', { params: { id } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: targetsQuery.queryKey }),
        client.invalidateQueries({ queryKey: bundlesQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['cluster'] }),
      ]),
  });
}

const bundlePrefix = 'bundle:';

/** The bundle's id in the target's, `bundle:<id>`; undefined for a cluster. */
export const bundleIdOf = (target: string): string | undefined =>
  target.startsWith(bundlePrefix) ? target.slice(bundlePrefix.length) : undefined;
