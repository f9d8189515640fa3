import { Button, UnstyledButton } from '@mantine/core';
import type { Target } from '#shared/api/targets.ts';
import { CommandBlock } from '../../components/command-block.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { commandIn, sourceOf, stateOf } from '../../components/targets/target-labels.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import css from './target-row.module.css';

type TargetRowProps = {
  readonly target: Target;
  /** True for the one the page reads. */
  readonly current: boolean;
  readonly working: boolean;
  readonly onChoose: () => void;
  readonly onRetry: () => void;
  /** Bundles only. */
  readonly onClose: (() => void) | undefined;
};

/** One cluster or bundle: how it stands in a shape and words, why, and what can be done about it. */
export function TargetRow({ target, current, working, onChoose, onRetry, onClose }: TargetRowProps) {
  const { state, label } = stateOf(target);
  const command =
    target.state === 'sign_in' && target.detail !== undefined ? commandIn(target.detail) : undefined;
  const inTrouble = state === 'failing' || state === 'degraded';
  return (
    <li className={css.row} data-current={current}>
      <UnstyledButton
        className={css.choose}
        data-target={target.id}
        data-autofocus={current ? true : undefined}
        onClick={onChoose}
        aria-current={current ? 'true' : undefined}
        disabled={target.state === 'broken' && target.kind === 'bundle'}
      >
        <Glyph state={state} />
        <span className={css.name}>{target.name}</span>
        <span className={css.state} data-state={state}>
          {label}
        </span>
        <span className={css.facts}>
          {sourceOf(target)}
          {target.address !== undefined && `, ${target.address}`}
          {target.writable && ', may be changed'}
          {target.taken_at !== undefined && (
            <>
              , taken <TimeAgo at={Date.parse(target.taken_at)} />
            </>
          )}
        </span>
      </UnstyledButton>
      {((inTrouble && target.detail !== undefined) || onClose !== undefined) && (
        <div className={css.detail}>
          {inTrouble && target.detail !== undefined && (
            <p>
              <WithCode>{target.detail}</WithCode>
            </p>
          )}
          {command !== undefined && <CommandBlock command={command} />}
          <span className={css.ways}>
            {inTrouble && target.kind !== 'bundle' && (
              <Button size="xs" onClick={onRetry} loading={working}>
                Retry
              </Button>
            )}
            {onClose !== undefined && (
              <Button size="xs" onClick={onClose} loading={working} aria-label={`Close ${target.name}`}>
                {target.state === 'opening' ? 'Cancel' : 'Close the bundle'}
              </Button>
            )}
          </span>
        </div>
      )}
    </li>
  );
}
