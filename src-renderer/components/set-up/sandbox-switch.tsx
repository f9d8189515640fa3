import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../core/failure.ts';
import { sandboxQuery, useMaySetUp, useSandboxSwitch } from '../../core/set-up.ts';
import { Banner } from '../banner.tsx';
import { Glyph } from '../glyph.tsx';
import { WithCode } from '../with-code.tsx';
import css from './set-up.module.css';

type SandboxSwitchProps = {
  /** Called with the target to open once it runs, and by its button then. */
  readonly onOpen: (target: string) => void;
};

/** Starts the sandbox with one click and stops it in the same place, or says why it cannot be started here. */
export function SandboxSwitch({ onOpen }: SandboxSwitchProps) {
  const { data } = useQuery(sandboxQuery);
  const may = useMaySetUp();
  const change = useSandboxSwitch();
  if (data === undefined) return null;
  const failed = change.error !== null && (
    <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The sandbox was not changed.">
      {sentenceOf(change.error)}
    </Banner>
  );
  if (data.state === 'on' || data.state === 'stopping') {
    return (
      <div className={css.stack}>
        {failed}
        <Button size="md" fullWidth onClick={() => onOpen('sandbox')}>
          Open the sandbox
        </Button>
        {may === true && (
          <Button
            size="md"
            fullWidth
            loading={change.isPending || data.state === 'stopping'}
            onClick={() => change.mutate(false)}
          >
            Stop the sandbox
          </Button>
        )}
      </div>
    );
  }
  if (data.why_not !== undefined)
    return (
      <p className={css.hint}>
        <WithCode>{data.why_not}</WithCode>
      </p>
    );
  if (may === false)
    return <p className={css.hint}>Only a session admin can start it. Ask whoever runs this console.</p>;
  return (
    <div className={css.stack}>
      {failed}
      <Button
        size="md"
        fullWidth
        loading={change.isPending || data.state === 'starting'}
        onClick={() => change.mutate(true, { onSuccess: () => onOpen('sandbox') })}
      >
        Start the sandbox
      </Button>
    </div>
  );
}
