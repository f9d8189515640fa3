import { useEffect, useState } from 'react';
import type { FirstLook } from '#shared/api/troubleshoot.ts';
import { Glyph } from '../../components/glyph.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { follow } from '../../core/follow.ts';
import { severities } from '../../pages/troubleshoot/severity-labels.ts';
import css from './first-findings.module.css';

/** How many are shown; the troubleshooter shows all once the bundle is open. */
const most = 4;

/** What a bundle says while it is still being opened: its logs, and pods that are not well; nothing as long as they say nothing. */
export function FirstFindings({ bundle }: { readonly bundle: string }) {
  const look = useFirstLook(bundle);
  if (look === undefined || look.findings.length === 0) return null;
  const more = look.findings.length - most;
  return (
    <section className={css.findings} aria-label="Found so far">
      <h3>{look.ended ? 'Found while it was opened' : 'Found so far'}</h3>
      <ul>
        {look.findings.slice(0, most).map(({ id, severity, title, evidence: [first] }) => {
          const { state, label } = severities[severity];
          return (
            <li key={id}>
              <Glyph state={state} />
              <Spoken>{`${label}: `}</Spoken>
              <span>
                {title.replaceAll('`', '')}
                {first !== undefined && <code title={first.text}>{first.text}</code>}
              </span>
            </li>
          );
        })}
      </ul>
      <p>
        {more > 0 && `${more.toLocaleString('en')} more. `}
        The diagnosis, which knows all of it, is under Troubleshoot once it is open.
      </p>
    </section>
  );
}

function useFirstLook(bundle: string): FirstLook | undefined {
  const [look, setLook] = useState<FirstLook>();
  useEffect(() => {
    setLook(undefined);
    const leaving = new AbortController();
    follow(
      'troubleshoot.first',
      { params: { id: bundle } },
      { signal: leaving.signal, on: { found: setLook } },
    )
      // The dialog around it says how the opening ends; what was found until then stays.
      .catch(() => undefined);
    return () => leaving.abort();
  }, [bundle]);
  return look;
}
