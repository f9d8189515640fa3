import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import css from './finding-reading.module.css';
import type { FindingRow } from './finding-rows.ts';
import { competing, explained } from './related-rows.ts';
import { severities } from './severity-labels.ts';
import { findingsAddress, panelAddress } from './troubleshoot-address.ts';

type RelatedFindingsProps = { readonly row: FindingRow; readonly all: readonly FindingRow[] };

/** Shows other possible causes, and the findings this one explains. */
export function RelatedFindings({ row, all }: RelatedFindingsProps) {
  const [address] = usePageAddress();
  const others = competing(row, all);
  const follows = explained(row, all);
  return (
    <>
      {others.length > 0 && (
        <section className={css.section} aria-label="Competing causes">
          <h3 className={css.heading}>Competing causes</h3>
          <p className={css.note}>The evidence fits these as well. Most specific first.</p>
          <ul className={css.related}>
            {others.map((other) => (
              <li key={other.key}>
                <FindingLink row={other} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {follows.length > 0 && (
        <section className={css.section} aria-label="Related findings">
          <h3 className={css.heading}>Related findings</h3>
          <ul className={css.related}>
            {follows.map(
              ({ symptom, row: other }) =>
                other !== undefined && (
                  <li key={symptom}>
                    <FindingLink row={other} />
                  </li>
                ),
            )}
            {follows.map(
              ({ symptom, row: other }) =>
                other === undefined && (
                  <li key={symptom} className={css.byRule}>
                    <PageLink to={panelAddress('catalogue', address.target, symptom)}>
                      <code>{symptom}</code>
                    </PageLink>
                  </li>
                ),
            )}
          </ul>
        </section>
      )}
    </>
  );
}

function FindingLink({ row: { key, finding } }: { readonly row: FindingRow }) {
  const [address] = usePageAddress();
  const { state, label } = severities[finding.severity];
  return (
    <>
      <Glyph state={state} />
      <PageLink to={findingsAddress(address, { record: key })}>
        <Spoken>{`${label}: `}</Spoken>
        {finding.title.replaceAll('`', '')}
      </PageLink>
    </>
  );
}
