import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HarnessAction, HarnessActRequest, HarnessFinding } from '#shared/api/intelligence.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { clusterKey } from '../../core/cluster-target.ts';
import { sentenceOf } from '../../core/failure.ts';
import css from './harness-page.module.css';

type ActDialogProps = {
  /** As the person saw it. */
  readonly finding: HarnessFinding;
  readonly action: HarnessAction;
  readonly target: string | undefined;
  readonly onClose: () => void;
};

/** Asks before a finding is acted on, with what will be done. */
export function ActDialog({ finding, action, target, onClose }: ActDialogProps) {
  const { id, revision } = finding;
  const client = useQueryClient();
  const preview = usePreview(action);
  const [typed, setTyped] = useState('');
  const needsName = preview.data?.protected === true;
  const act = useMutation({
    mutationFn: () =>
      call('intelligence.act', {
        params: { id },
        query: { target },
        body: {
          revision,
          ...(preview.data === undefined ? {} : { digest: preview.data.digest }),
          ...(needsName ? { confirm: typed } : {}),
        },
      }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: clusterKey(target, 'harness') }),
  });
  return (
    <ConfirmDialog
      title={`${action.title}?`}
      verb={action.title}
      onConfirm={() => act.mutate()}
      onClose={onClose}
      working={act.isPending || (action.kind === 'act' && preview.isPending)}
      error={act.error}
      failed="It was not done."
    >
      {action.kind === 'dispatch' ? (
        <>
          <p>
            This command is queued for your own agent session, which claims it when it next asks for work.
          </p>
          <pre className={css.command}>{action.command}</pre>
        </>
      ) : (
        <ObjectAct request={action.request} preview={preview} />
      )}
      {needsName && (
        <TextInput
          label={`Type ${action.kind === 'act' ? action.request.target : ''} to confirm: the target is protected`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <p>It is done once for this finding as it is now, and recorded in the audit trail before and after.</p>
    </ConfirmDialog>
  );
}

/** Has an act on an object judged by its server before the person is asked. */
function usePreview(action: HarnessAction) {
  return useQuery({
    queryKey: ['harness-preview', action],
    enabled: action.kind === 'act',
    retry: false,
    gcTime: 0,
    queryFn: () => {
      if (action.kind !== 'act') throw new Error('A dispatch has no preview.');
      return call('acts.preview', { body: action.request });
    },
  });
}

function ObjectAct({
  request: { object, target },
  preview: { data, error },
}: {
  readonly request: HarnessActRequest;
  readonly preview: ReturnType<typeof usePreview>;
}) {
  return (
    <>
      <p>
        {object.kind} <code>{object.name}</code> in {object.namespace ?? 'the cluster'} of {target}.
      </p>
      {data !== undefined && (
        <ul>
          {[data.sentence, ...data.effects, ...data.warnings].map((sentence) => (
            <li key={sentence}>
              <WithCode>{sentence}</WithCode>
            </li>
          ))}
        </ul>
      )}
      {data?.allowed === false && <p>{data.reason}</p>}
      {error !== null && <p>What it would do could not be read: {sentenceOf(error)}</p>}
    </>
  );
}
