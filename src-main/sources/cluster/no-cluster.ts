import type { Cluster } from './types.ts';

/** The reason nothing is read without a cluster; a sentence. */
export const noClusterReason = 'No cluster is attached: connect one from a kubeconfig, or open a bundle.';

/** Stands where no cluster is: every read says so. */
export function noCluster(now: () => number, reason = noClusterReason): Cluster {
  return {
    source: 'kubernetes',
    list: async () => ({ state: 'unavailable', items: [], gaps: [reason], readAt: now(), revision: reason }),
    get: async () => ({ state: 'unread', reason }),
    watch: () => () => undefined,
    logs: async () => ({ state: 'unread', reason }),
    patch: async () => ({ state: 'unavailable', reason }),
    httpGet: async () => ({ state: 'unread', reason }),
    status: () => ({ state: 'unreachable', detail: reason }),
    takenAt: undefined,
    close: () => undefined,
  };
}
