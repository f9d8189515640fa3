import css from './spoken.module.css';

/** Words for a screen reader where the eye has a shape or a place. */
export function Spoken({ children }: { readonly children: string }) {
  return <span className={css.spoken}>{children}</span>;
}
