import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActClass, Autonomy } from '#shared/api/guardrails.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { call } from '../../core/api.ts';
import { guardrailsQuery } from './guardrails-query.ts';
import { autonomyLabels, classTitles } from './labels.ts';

type SaveGuardrailsProps = {
  /** The revision that the choice was made on. */
  readonly revision: number;
  readonly changes: readonly {
    readonly name: ActClass;
    readonly before: Autonomy;
    readonly after: Autonomy;
  }[];
  readonly onClose: () => void;
};

/** Asks before the guardrails change. */
export function SaveGuardrails({ revision, changes, onClose }: SaveGuardrailsProps) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      call('guardrails.set', {
        body: { revision, autonomy: Object.fromEntries(changes.map(({ name, after }) => [name, after])) },
      }),
    onSuccess: (answer) => {
      client.setQueryData(guardrailsQuery.queryKey, answer);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Change the guardrails?"
      verb="Change"
      onConfirm={() => save.mutate()}
      onClose={onClose}
      working={save.isPending}
      error={save.error}
      failed="They were not changed."
    >
      <ul>
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            {classTitles[name]}: {autonomyLabels[before]} to <b>{autonomyLabels[after]}</b>
          </li>
        ))}
      </ul>
      <p>In effect at once, and recorded in the audit trail.</p>
    </ConfirmDialog>
  );
}
