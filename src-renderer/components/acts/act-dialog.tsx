import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ActPreview } from '#shared/api/acts.ts';
import { type AskedAct, actableQuery } from '../../core/act-queries.ts';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { Banner } from '../banner.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Glyph } from '../glyph.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import { ActArguments, needsArguments } from './act-arguments.tsx';
import { actTitle } from './act-labels.ts';
import { ActProgress } from './act-progress.tsx';
import { Confirmation } from './confirmation.tsx';
import { PreviewedAct } from './previewed-act.tsx';

export type ActDialogProps = {
  readonly asked: AskedAct;
  readonly onClose: () => void;
  /** Called when an act was carried out. */
  readonly onDone?: () => void;
};

/** Leads through an act: what it needs, what it would change, the confirmation, and what became of it; then its undo. */
export function ActDialog({ asked, onClose, onDone }: ActDialogProps) {
  const [now, setNow] = useState(asked);
  return (
    <Dialog
      title={`${actTitle(now.act)} ${now.object.kind} ${now.object.name}`}
      width={now.act === 'apply' ? 860 : 640}
      onClose={onClose}
    >
      <OneAct
        key={JSON.stringify(now)}
        asked={now}
        onClose={onClose}
        onUndo={setNow}
        {...(onDone !== undefined && { onDone })}
      />
    </Dialog>
  );
}

type OneActProps = ActDialogProps & { readonly onUndo: (asked: AskedAct) => void };

function OneAct({ asked, onClose, onDone, onUndo }: OneActProps) {
  const { target, act, object } = asked;
  const isOpen = needsArguments(act);
  const client = useQueryClient();
  const actable = useQuery({ ...actableQuery(target, object), enabled: isOpen });
  const [args, setArgs] = useState(asked.args);
  const [key, setKey] = useState<string>();
  const preview = useMutation({
    mutationFn: (given: AskedAct['args']) =>
      call('acts.preview', { body: { target, act, object, args: given } }),
  });
  const perform = useMutation({
    mutationFn: ({ digest, confirm }: { digest: string; confirm: string | undefined }) => {
      const chosen = crypto.randomUUID();
      setKey(chosen);
      return call('acts.perform', {
        body: { target, act, object, args, digest, key: chosen, ...(confirm !== undefined && { confirm }) },
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['cluster'] }),
    onSuccess: ({ state }) => {
      if (state === 'done') onDone?.();
    },
  });
  const look = preview.mutate;
  useEffect(() => {
    // An act without arguments, or whose arguments are all known, is previewed at once.
    if (!isOpen || Object.keys(asked.args).length > 0) look(asked.args);
  }, [isOpen, asked.args, look]);

  if (key !== undefined && (perform.isPending || perform.data !== undefined))
    return (
      <ActProgress
        target={target}
        actKey={key}
        outcome={perform.data}
        onClose={onClose}
        onUndo={(undo) =>
          onUndo({ target, act: undo.act, object: undo.object, args: undo.args as AskedAct['args'] })
        }
      />
    );
  return (
    <>
      {isOpen && (
        <ActArguments
          act={act}
          actable={actable.data}
          error={actable.error}
          given={args}
          working={preview.isPending}
          onChange={(changed) => {
            setArgs(changed);
            preview.reset();
          }}
          onPreview={() => look(args)}
        />
      )}
      {preview.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Not previewed.">
          {sentenceOf(preview.error)}
        </Banner>
      )}
      {preview.isPending && <SkeletonRows rows={4} />}
      {preview.data !== undefined && (
        <Previewed
          preview={preview.data}
          target={target}
          verb={actTitle(act)}
          working={perform.isPending}
          error={perform.error}
          onConfirm={(confirm) => perform.mutate({ digest: preview.data.digest, confirm })}
          onAgain={() => {
            perform.reset();
            look(args);
          }}
          onClose={onClose}
        />
      )}
    </>
  );
}

type PreviewedProps = {
  readonly preview: ActPreview;
  readonly target: string;
  readonly verb: string;
  readonly working: boolean;
  readonly error: Error | null;
  readonly onConfirm: (confirm: string | undefined) => void;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

function Previewed({ preview, ...rest }: PreviewedProps) {
  return (
    <>
      <PreviewedAct preview={preview} />
      {rest.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Not carried out.">
          {sentenceOf(rest.error)}
        </Banner>
      )}
      <Confirmation
        target={rest.target}
        verb={rest.verb}
        allowed={preview.allowed}
        isProtected={preview.protected}
        working={rest.working}
        onConfirm={rest.onConfirm}
        onAgain={rest.onAgain}
        onClose={rest.onClose}
      />
    </>
  );
}
