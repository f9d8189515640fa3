import type { MeshCa } from '#shared/api/cluster.ts';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import type { StateList } from '../../components/list/use-state-list.ts';
import { Spoken } from '../../components/spoken.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { bySpan, certificateName, daysLabel, spans } from './certificate-labels.ts';
import css from './expiry-timeline.module.css';

/**
 * Shows certificates by expiry, from expired to distant. Spans grow with distance, which leaves room for what is near.
 */
export function ExpiryTimeline({ list }: { readonly list: StateList<MeshCa> }) {
  const { items, listed, open } = list;
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
              {group.map((ca) => {
                const key = listed.key(ca);
                const { state, label } = healthStates[ca.state];
                return (
                  <li key={key}>
                    <a
                      className={css.mark}
                      href={list.addressOf(key)}
                      aria-current={key === open ? 'true' : undefined}
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
                  </li>
                );
              })}
            </ul>
          </div>
        );
      })}
    </section>
  );
}
