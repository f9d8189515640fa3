import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeyItem } from '#shared/api/settings.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { call } from '../../core/api.ts';
import { keepKey } from '../../core/settings-queries.ts';

/** Asks before a kept secret is deleted. */
export function DeleteKey({ item, onClose }: { readonly item: KeyItem; readonly onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('keys.delete', { params: { name: item.name } }),
    onSuccess: (key) => {
      keepKey(client, key);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Delete the key?"
      verb="Delete"
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      working={remove.isPending}
      error={remove.error}
      failed="The key was not deleted."
    >
      <p>
        <b>{item.name}</b> is removed from where it is kept, at once, and cannot be brought back. What needs
        it stops working until it is set again: {lowerFirst(item.sentence)}
      </p>
    </ConfirmDialog>
  );
}

/** A sentence that goes on after a colon; a name in capitals keeps them. */
const lowerFirst = (sentence: string): string =>
  /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
