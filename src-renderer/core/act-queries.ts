import { queryOptions } from '@tanstack/react-query';
import type { ActId, ActObject } from '#shared/api/acts.ts';
import { call } from './api.ts';
import { clusterKey } from './cluster-target.ts';

/** An act that a person is asked about: its object, and the arguments that are known already. */
export type AskedAct = {
  readonly target: string;
  readonly act: ActId;
  readonly object: ActObject;
  readonly args: Readonly<Record<string, unknown>>;
};

/** The acts that an object takes now, with the values they change. */
export const actableQuery = (target: string, object: ActObject) =>
  queryOptions({
    queryKey: clusterKey(target, 'acts', object.group, object.kind, object.namespace ?? '', object.name),
    queryFn: () => call('acts.offer', { query: { target, ...object } }),
    // Rights and values are asked when the menu opens.
    staleTime: 0,
  });

/** The act of a key, while it is under way. */
export const actProgressQuery = (target: string, key: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ['acts', 'history', target, key],
    queryFn: async () => (await call('acts.history', { query: { target, key } })).items[0],
    enabled: isOpen,
    refetchInterval: 1000,
    gcTime: 0,
  });
