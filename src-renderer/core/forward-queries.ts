import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ForwardDefinition } from '#shared/api/forwards.ts';
import { useAllowlist } from './access.ts';
import { call } from './api.ts';
import { useSession } from './session.tsx';

/** Port forwards of the console's machine. */
export const forwardsQuery = queryOptions({ queryKey: ['forwards'], queryFn: () => call('forwards.list') });

/** Returns whether the person may open and close ports; undefined until known, the console makes the final decision. */
export function useMayForward(): boolean | undefined {
  const { me } = useSession();
  const { data } = useAllowlist('CONSOLE_CLUSTER_ADMINS');
  return me.authed ? data?.member : false;
}

/** Keeps a new forward and starts it. */
export function useCreateForward() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ForwardDefinition) => call('forwards.create', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: forwardsQuery.queryKey }),
  });
}

/** Starts, stops or deletes a forward. */
export function useForwardAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ act, name }: { act: 'start' | 'stop' | 'delete'; name: string }): Promise<void> => {
      await call(`forwards.${act}`, { params: { name } });
    },
    onSettled: () => client.invalidateQueries({ queryKey: forwardsQuery.queryKey }),
  });
}
