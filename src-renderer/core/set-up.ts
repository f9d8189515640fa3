import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMayAdminister, useMayNameFirst } from './access.ts';
import { call } from './api.ts';

/** Whether the sandbox runs, and whether it can be started. */
export const sandboxQuery = queryOptions({ queryKey: ['sandbox'], queryFn: () => call('sandbox.read') });

/** The kubeconfigs that were attached in the window. */
export const kubeconfigsQuery = queryOptions({
  queryKey: ['kubeconfigs'],
  queryFn: () => call('kubeconfigs.list'),
});

/**
 * Returns whether the person may take the first steps: session admins and the desktop window always, the holder of the
 * sign-in link while nobody is a session admin. Undefined until known; the console makes the final decision.
 */
export function useMaySetUp(): boolean | undefined {
  const may = useMayAdminister();
  const first = useMayNameFirst();
  return may === true || first === true ? true : may === undefined || first === undefined ? undefined : false;
}

/** Starts or stops the sandbox: everything that was read is read anew. */
export function useSandboxSwitch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => call(on ? 'sandbox.start' : 'sandbox.stop'),
    onSuccess: async (state) => {
      client.setQueryData(sandboxQuery.queryKey, state);
      // What was read of one cluster is nothing of the other.
      client.removeQueries({ queryKey: ['cluster'] });
      await client.invalidateQueries();
    },
  });
}
