import type { ReactNode } from 'react';
import css from './facts.module.css';

/** Facts of one thing, name beside value. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={css.facts}>{children}</dl>;
}

/** One fact. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

type PartProps = {
  readonly title: string;
  /** A quiet word beside the title, such as a count. */
  readonly sub?: ReactNode;
  readonly children: ReactNode;
};

/** A titled part of a drawer or a reading. */
export function Part({ title, sub, children }: PartProps) {
  return (
    <section className={css.part} aria-label={title}>
      <h3 className={css.title}>
        {title} {sub !== undefined && <span>{sub}</span>}
      </h3>
      {children}
    </section>
  );
}
