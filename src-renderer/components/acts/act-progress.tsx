import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ActAgain, ActOutcome, ActState } from '#shared/api/acts.ts';
import { actProgressQuery } from '../../core/act-queries.ts';
import type { StateName } from '../../core/state-name.ts';
import { Glyph } from '../glyph.tsx';
import css from './act-dialog.module.css';

type ActProgressProps = {
  readonly target: string;
  /** Key of the act. */
  readonly actKey: string;
  /** Undefined while it is under way. */
  readonly outcome: ActOutcome | undefined;
  readonly onUndo: (undo: ActAgain) => void;
  readonly onClose: () => void;
};

const looks: Readonly<Record<ActState, { readonly state: StateName; readonly title: string }>> = {
  done: { state: 'healthy', title: 'Done' },
  failed: { state: 'failing', title: 'Failed' },
  refused: { state: 'failing', title: 'Refused' },
  unknown: { state: 'unknown', title: 'Outcome unknown' },
};

/** How far an act came, then how it ended, with its undo. */
export function ActProgress({ target, actKey, outcome, onUndo, onClose }: ActProgressProps) {
  const { data } = useQuery(actProgressQuery(target, actKey, outcome === undefined));
  const { state, title } =
    outcome === undefined ? { state: 'working' as const, title: 'Under way' } : looks[outcome.state];
  const undo = outcome?.undo;
  return (
    <>
      <div className={css.outcome} role="status" data-act-state={outcome?.state ?? 'open'}>
        <Glyph state={state} />
        <div>
          <b>{title}</b>
          <p>{outcome?.sentence ?? data?.progress ?? 'Recording and sending it.'}</p>
        </div>
      </div>
      {outcome === undefined && (
        <p className={css.note}>It goes on when this is closed; the Audit page says how it ended.</p>
      )}
      <div className={css.actions}>
        {undo !== undefined && <Button onClick={() => onUndo(undo)}>Undo: {undo.sentence}</Button>}
        <Button variant="filled" onClick={onClose}>
          {outcome === undefined ? 'Continue in background' : 'Close'}
        </Button>
      </div>
    </>
  );
}
