import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeyItem } from '#shared/api/settings.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { call } from '../../core/api.ts';
import { keepKey } from '../../core/settings-queries.ts';
import { studioIdentityKey } from './settings-labels.ts';

type GenerateKeyProps = {
  readonly item: KeyItem;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Asks before the console makes a new key of its own: who holds the old one is shut out at once. */
export function GenerateKey({ item, onDone, onClose }: GenerateKeyProps) {
  const client = useQueryClient();
  const generate = useMutation({
    mutationFn: () => call('keys.set', { params: { name: item.name }, body: { generate: true } }),
    onSuccess: (key) => {
      keepKey(client, key);
      onDone();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={item.set ? 'Generate a new key?' : 'Generate the key?'}
      verb="Generate"
      onConfirm={() => generate.mutate()}
      onClose={onClose}
      working={generate.isPending}
      error={generate.error}
      failed="No key was generated."
    >
      <p>
        The console generates a random <b>{item.name}</b>, stores it and uses it at once.
        {item.set && ' The current key is deleted.'}
      </p>
      {item.name === studioIdentityKey && (
        <p>The studio refuses everyone who comes through this console until it has the same key.</p>
      )}
    </ConfirmDialog>
  );
}
