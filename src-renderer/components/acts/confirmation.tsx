import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import css from './act-dialog.module.css';

type ConfirmationProps = {
  readonly target: string;
  /** Such as `Restart`. */
  readonly verb: string;
  readonly allowed: boolean;
  /** The name of the target must be typed. */
  readonly isProtected: boolean;
  readonly working: boolean;
  readonly onConfirm: (confirm: string | undefined) => void;
  /** Previews it again. */
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

/** Asks for the confirmation of an act, on a protected target by its name. */
export function Confirmation(props: ConfirmationProps) {
  const { target, verb, allowed, isProtected, working } = props;
  const [typed, setTyped] = useState('');
  const isConfirmed = !isProtected || typed === target;
  return (
    <form
      className={css.confirm}
      onSubmit={(event) => {
        event.preventDefault();
        if (allowed && isConfirmed) props.onConfirm(isProtected ? typed : undefined);
      }}
    >
      {isProtected && allowed && (
        <TextInput
          label={`${target} is protected: type its name to confirm`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div className={css.actions}>
        <span className={css.target}>
          Target <b>{target}</b>
        </span>
        <Button onClick={props.onClose}>Cancel</Button>
        {allowed ? (
          <Button type="submit" variant="filled" loading={working} disabled={!isConfirmed}>
            {verb.replace(/ of$/, '')}
          </Button>
        ) : (
          <Button onClick={props.onAgain}>Preview again</Button>
        )}
      </div>
    </form>
  );
}
