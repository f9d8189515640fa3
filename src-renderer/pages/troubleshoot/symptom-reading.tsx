import type { ReactNode } from 'react';
import type { Clause, Symptom } from '#shared/api/symptoms.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { IconLink } from '../../core/icons/icons.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import css from './finding-reading.module.css';
import { FixSteps } from './fix-steps.tsx';
import { ReferenceLinks } from './reference-links.tsx';
import { severities } from './severity-labels.ts';
import { areaTitles, clauseLabel, withPlaceholders } from './symptom-labels.ts';
import { panelAddress } from './troubleshoot-address.ts';

type SymptomReadingProps = {
  readonly symptom: Symptom;
  /** The catalogue, for the names of what this one explains. */
  readonly all: readonly Symptom[];
};

/** One symptom to read: what it is looked for by, why it happens, and what to do. */
export function SymptomReading({ symptom, all }: SymptomReadingProps) {
  const { id, area, severity, title, look_for, unless, explains, cause, fix, ruled_out_by, reference } =
    symptom;
  const [{ target }] = usePageAddress();
  const href = useHref();
  return (
    <article className={css.article} aria-label={withPlaceholders(title).replaceAll('`', '')}>
      <header className={css.head}>
        <div className={css.line}>
          <State {...severities[severity]} look="pill" />
          <Tag>{areaTitles[area]}</Tag>
          <code className={css.object}>{id}</code>
          <span className={css.tools}>
            <CopyIcon
              text={() => `${location.origin}${href(panelAddress('catalogue', target, id))}`}
              label="Copy the link to this symptom"
              icon={IconLink}
            />
          </span>
        </div>
        <h2 className={css.title}>
          <WithCode>{withPlaceholders(title)}</WithCode>
        </h2>
      </header>
      <Section title="How it is detected" note="Any of these is evidence of it.">
        <Clauses clauses={look_for} />
      </Section>
      {unless.length > 0 && (
        <Section title="Unless" note="With any of these it is something else.">
          <Clauses clauses={unless} />
        </Section>
      )}
      <Section title="Cause">
        <p>
          <WithCode>{withPlaceholders(cause)}</WithCode>
        </p>
      </Section>
      <Section title="Fix">
        <FixSteps fix={fix} fill={withPlaceholders} />
      </Section>
      <Section title="How to confirm it is fixed">
        <p>
          <WithCode>{withPlaceholders(ruled_out_by)}</WithCode>
        </p>
      </Section>
      {explains.length > 0 && (
        <Section title="Related findings">
          <ul className={css.related}>
            {explains.map((other) => {
              const known = all.find((candidate) => candidate.id === other);
              return (
                <li key={other}>
                  <Glyph state={known === undefined ? 'unknown' : severities[known.severity].state} />
                  <PageLink to={panelAddress('catalogue', target, other)}>
                    {known === undefined ? other : withPlaceholders(known.title).replaceAll('`', '')}
                  </PageLink>
                </li>
              );
            })}
          </ul>
        </Section>
      )}
      <p className={css.foot}>
        <ReferenceLinks reference={reference} />
      </p>
    </article>
  );
}

function Clauses({ clauses }: { readonly clauses: readonly Clause[] }) {
  return (
    <ul className={css.clauses}>
      {clauses.map((clause) => {
        const label = clauseLabel(clause);
        return (
          <li key={label}>
            <WithCode>{label}</WithCode>
          </li>
        );
      })}
    </ul>
  );
}

type SectionProps = { readonly title: string; readonly note?: string; readonly children: ReactNode };

function Section({ title, note, children }: SectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      <h3 className={css.heading}>
        {title} {note !== undefined && <span>{note}</span>}
      </h3>
      {children}
    </section>
  );
}
