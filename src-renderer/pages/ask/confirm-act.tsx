import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Proposal } from '#shared/api/chat.ts';
import css from './ask.module.css';

type ConfirmActProps = { readonly proposal: Proposal; readonly onSay: (message: string) => void };

/** What an act would change, and the two ways on. Nothing is done before the person presses the button. */
export function ConfirmAct({ proposal, onSay }: ConfirmActProps) {
  const { code, expires_at, target, diff, effects, warnings, protected: isProtected } = proposal;
  const left = useSecondsUntil(Date.parse(expires_at));
  const [typed, setTyped] = useState('');
  const isOver = left <= 0;
  const mayConfirm = !isOver && (!isProtected || typed === target);
  return (
    <section className={css.proposal} aria-label="Proposed act">
      <table className={css.diff}>
        <caption>Changes in {target}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {diff.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td className={css.before}>{before ?? 'not set'}</td>
              <td className={css.after}>{after ?? 'removed'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {[...warnings, ...effects].map((line) => (
        <p key={line} className={css.effect} data-warning={warnings.includes(line)}>
          {line}
        </p>
      ))}
      {isProtected && !isOver && (
        <TextInput
          label={`${target} is protected. Type its name to confirm.`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <div className={css.acts}>
        <Button
          variant="filled"
          disabled={!mayConfirm}
          onClick={() => onSay(`confirm ${code}${isProtected ? ` ${target}` : ''}`)}
        >
          Confirm
        </Button>
        <Button disabled={isOver} onClick={() => onSay('cancel')}>
          Cancel
        </Button>
        <span className={css.quiet}>
          {isOver ? (
            'Expired. Nothing was done: ask for it again.'
          ) : (
            <>
              {left} s left. Nothing was done yet. Or type <code>confirm {code}</code>
            </>
          )}
        </span>
      </div>
    </section>
  );
}

function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((time - now) / 1000));
}
