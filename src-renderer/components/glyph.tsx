import type { StateName } from '../core/state-name.ts';
import css from './glyph.module.css';

const shapes: Readonly<Record<StateName, React.ReactNode>> = {
  healthy: (
    <>
      <circle cx="7" cy="7" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="m4.6 7.2 1.7 1.7 3.1-3.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  degraded: (
    <>
      <path
        d="M7 .9c.5 0 .8.2 1 .6l5 9.2c.4.8-.1 1.6-1 1.6H2c-.9 0-1.4-.8-1-1.6L6 1.5c.2-.4.5-.6 1-.6z"
        fill="currentColor"
      />
      <path d="M7 4.6v3.2M7 10v.1" stroke="var(--oc-surface)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  failing: (
    <>
      <path d="M4.3.8h5.4l3.5 3.5v5.4l-3.5 3.5H4.3L.8 9.7V4.3z" fill="currentColor" />
      <path
        d="m4.9 4.9 4.2 4.2M9.1 4.9 4.9 9.1"
        stroke="var(--oc-surface)"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
  unknown: (
    <>
      <circle
        cx="7"
        cy="7"
        r="5.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeDasharray="2.2 1.32"
      />
      <path
        d="M5.5 5.5a1.5 1.5 0 1 1 2.2 1.3c-.5.3-.7.5-.7 1M7 9.7v.1"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinecap="round"
      />
    </>
  ),
  idle: (
    <>
      <circle cx="7" cy="7" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M4.8 7h4.4" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  working: (
    <>
      <circle cx="7" cy="7" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.6" opacity=".28" />
      <path
        className={css.arc}
        d="M7 1.75A5.25 5.25 0 1 1 1.75 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </>
  ),
};

/** A state's shape, 14 px. Always beside its word. */
export function Glyph({ state }: { readonly state: StateName }) {
  return (
    <svg className={css.glyph} data-state={state} viewBox="0 0 14 14" aria-hidden="true">
      {shapes[state]}
    </svg>
  );
}
