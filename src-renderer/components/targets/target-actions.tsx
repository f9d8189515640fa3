import { Button } from '@mantine/core';
import { sentenceOf } from '../../core/failure.ts';
import { useOpenTargets } from '../../core/open-targets.ts';
import { useRetryTarget, useTargets } from '../../core/target-queries.ts';
import { CommandBlock } from '../command-block.tsx';
import css from './target-actions.module.css';
import { commandIn } from './target-labels.ts';

type TargetActionsProps = {
  /** Id of the target that was not read. */
  readonly target: string;
  /** True while it is being read again. */
  readonly reading: boolean;
};

/** Shows what to do about an unreachable target: reconnect, sign in, or choose another. */
export function TargetActions({ target, reading }: TargetActionsProps) {
  const { pick, bundle } = useOpenTargets();
  const { data } = useTargets();
  const retry = useRetryTarget();
  const known = data?.items.find(({ id }) => id === target);
  const command = known?.state === 'sign_in' ? commandIn(known.detail ?? '') : undefined;
  return (
    <div className={css.ways}>
      {command !== undefined && (
        <div className={css.command}>
          <p>Sign in with this command, then retry:</p>
          <CommandBlock command={command} />
        </div>
      )}
      <Button variant="filled" onClick={() => retry.mutate(target)} loading={retry.isPending || reading}>
        Retry
      </Button>
      <Button onClick={pick}>Choose another target</Button>
      <Button onClick={bundle}>Open a bundle</Button>
      {retry.error !== null && (
        <p className={css.trouble} role="alert">
          {sentenceOf(retry.error)}
        </p>
      )}
    </div>
  );
}
