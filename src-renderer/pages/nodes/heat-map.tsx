import type { CSSProperties } from 'react';
import type { NodeRow } from '#shared/api/cluster.ts';
import { EndKept } from '../../components/end-kept.tsx';
import { formatCount, formatShare } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import type { StateList } from '../../components/list/use-state-list.ts';
import { Spoken } from '../../components/spoken.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './heat-map.module.css';
import { bounded, byDedication, fullestShare } from './node-load.ts';

/** Up to so many nodes have their name on them. */
const mostNamed = 24;

/** Longer names do not fit into a field of the usual width. */
const longFrom = 14;

/** Characters of a node's name that are never left out. */
const endLength = 10;

/** Every node as a field, fuller where more of it is asked for, grouped by whom it is kept for. */
export function HeatMap({ list }: { readonly list: StateList<NodeRow> }) {
  const { items, open, addressOf, show } = list;
  const named = items.length <= mostNamed;
  const isLong = items.some(({ name }) => name.length > longFrom);
  return (
    <section className={css.map} aria-label="Nodes by load and dedication">
      <div className={css.groups}>
        {byDedication(items).map(({ title, nodes }) => (
          <div key={title} className={css.group}>
            <h2 className={css.title}>
              {title} <span>{nodes.length}</span>
            </h2>
            <ul className={css.fields}>
              {nodes.map((node) => (
                <li key={node.name}>
                  <a
                    className={css.field}
                    href={addressOf(node.name)}
                    data-named={named}
                    data-long={isLong}
                    data-state={healthStates[node.state].state}
                    data-open={node.name === open}
                    data-read={fullestShare(node) !== undefined}
                    style={{ '--share': fill(node) } as CSSProperties}
                    title={labelOf(node)}
                    onClick={(event) => {
                      if (openedByPlainClick(event)) show(node.name);
                    }}
                  >
                    {(named || node.state !== 'healthy') && <Glyph state={healthStates[node.state].state} />}
                    {named && (
                      <>
                        <span className={css.name} aria-hidden>
                          <EndKept text={node.name} end={endLength} />
                        </span>
                        <span className={css.share} aria-hidden>
                          {shareOf(node)}
                        </span>
                      </>
                    )}
                    <Spoken>{labelOf(node)}</Spoken>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <p className={css.key}>
        Fill: the greater share of CPU and memory requested
        <span className={css.ramp} aria-hidden="true" />
        full
      </p>
    </section>
  );
}

const fill = (node: NodeRow): string => `${Math.round(Math.min(1, fullestShare(node) ?? 0) * 100)}%`;

function shareOf(node: NodeRow): string {
  const share = fullestShare(node);
  return share === undefined ? 'not read' : `${node.at_least === true ? '≥ ' : ''}${formatShare(share)}`;
}

function labelOf(node: NodeRow): string {
  const { name, state, reason, pods, dedicated_to } = node;
  const share = fullestShare(node);
  return [
    name,
    `${healthStates[state].label.toLowerCase()}${reason === undefined ? '' : `: ${reason}`}`,
    `requested ${share === undefined ? 'not read' : bounded(node, formatShare(share))}`,
    ...(pods === undefined ? [] : [bounded(node, formatCount(pods, 'pod'))]),
    ...(dedicated_to === undefined ? [] : [`dedicated to ${dedicated_to}`]),
  ].join(', ');
}
