import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import type { StateList } from '../../components/list/use-state-list.ts';
import { Spoken } from '../../components/spoken.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { bySpan, certificateName, daysLabel, type Mark, marksOf, spans } from './certificate-labels.ts';
import type { CertificateRow } from './certificate-row.ts';
import css from './expiry-timeline.module.css';

type List = StateList<CertificateRow>;

/**
 * Shows certificates by expiry, from expired to distant. Spans grow with distance, which leaves room for what is near; a
 * span of many shows them by issuer.
 */
export function ExpiryTimeline({ list }: { readonly list: List }) {
  const { items } = list;
  if (items.length === 0) return null;
  const groups = bySpan(items);
  return (
    <section className={css.timeline} aria-label="When certificates expire">
      {spans.map(({ name }, index) => {
        const group = groups[index] ?? [];
        return (
          <div key={name} className={css.span} data-span={index === 0 ? 'past' : 'coming'}>
            <h2 className={css.name}>
              {name} <b>{group.length}</b>
            </h2>
            <ul className={css.marks}>
              {marksOf(group).map((mark) => (
                <li key={list.listed.key(mark.first)}>
                  {mark.issuer === undefined ? (
                    <One ca={mark.first} list={list} />
                  ) : (
                    <OfIssuer mark={mark} issuer={mark.issuer} list={list} />
                  )}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

function One({ ca, list }: { readonly ca: CertificateRow; readonly list: List }) {
  const key = list.listed.key(ca);
  const { state, label } = healthStates[ca.state];
  return (
    <a
      className={css.mark}
      href={list.addressOf(key)}
      aria-current={key === list.open ? 'true' : undefined}
      title={`${ca.subject} in ${ca.namespace}, ${ca.not_after}`}
      onClick={(event) => {
        if (openedByPlainClick(event)) list.show(key);
      }}
    >
      <Glyph state={state} />
      <Spoken>{`${label}: `}</Spoken>
      <span className={css.authority}>{certificateName(ca)}</span>
      <span className={css.left}>{daysLabel(ca.days_left).replace('expired ', '')}</span>
    </a>
  );
}

type OfIssuerProps = { readonly mark: Mark; readonly issuer: string; readonly list: List };

/** Several certificates of one issuer; leads to the list of them. */
function OfIssuer({ mark: { first, count }, issuer, list }: OfIssuerProps) {
  const { state, label } = healthStates[first.state];
  return (
    <a
      className={css.mark}
      href={list.addressWith({ q: issuer })}
      title={`${count} certificates of ${issuer}, the first expires ${first.not_after}`}
      onClick={(event) => {
        if (openedByPlainClick(event)) list.narrow({ q: issuer });
      }}
    >
      <Glyph state={state} />
      <Spoken>{`${label}: ${count} certificates of `}</Spoken>
      <span className={css.authority}>{issuer}</span>
      <span className={css.left} aria-hidden="true">
        ×{count}
      </span>
    </a>
  );
}
