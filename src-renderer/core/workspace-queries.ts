import {
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSession } from './session.tsx';

/** A saved view, a pin or a note. */
export type WorkspaceItem = {
  readonly id: string;
  readonly kind: 'view' | 'pin' | 'note';
  readonly title: string;
  /** Address in the console from the `?` on; empty for a note that is about nothing. */
  readonly address: string;
  /** Text of a note. */
  readonly text: string;
  /** Everyone who signs in sees it. */
  readonly shared: boolean;
  /** Email of its owner, who alone changes it. */
  readonly owner: string;
  /** Grows with every change. */
  readonly revision: bigint;
  /** Epoch milliseconds. */
  readonly changedAt: number;
};

export type NewWorkspaceItem = Pick<WorkspaceItem, 'kind' | 'title' | 'address' | 'text' | 'shared'>;

export type WorkspaceChange = Pick<WorkspaceItem, 'id' | 'revision'> & {
  readonly change: Partial<Pick<WorkspaceItem, 'title' | 'address' | 'text' | 'shared'>>;
};

/** Every item the signed-in person sees, the newest change first. Ask only with a session. */
const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => (await import('./workspace.ts')).readItems(signal),
  staleTime: 30_000,
});

/** Reads the items that the signed-in person sees; never, where nobody is signed in. */
export function useWorkspaceItems(): UseQueryResult<readonly WorkspaceItem[]> {
  const { me } = useSession();
  return useQuery({ ...workspaceQuery, enabled: me.email !== undefined });
}

/** An act on the person's items; they are read again after it. */
function useItemAct<Input>(act: (input: Input) => Promise<void>): UseMutationResult<void, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: workspaceQuery.queryKey }),
  });
}

/** Keeps new items, one after the other. */
export const useCreateItems = () =>
  useItemAct(async (items: readonly NewWorkspaceItem[]) => {
    const { createWorkspaceItem } = await import('./workspace.ts');
    // The last one made stands first in the list.
    for (const item of items.toReversed()) await createWorkspaceItem(item);
  });

/** Changes an item of the person. */
export const useChangeItem = () =>
  useItemAct(async (change: WorkspaceChange) => (await import('./workspace.ts')).changeWorkspaceItem(change));

/** Deletes an item of the person. */
export const useDeleteItem = () =>
  useItemAct(async (id: string) => (await import('./workspace.ts')).deleteWorkspaceItem(id));
