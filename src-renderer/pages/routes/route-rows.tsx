import { useRef } from 'react';
import type { EdgeRoute, Hop } from '#shared/api/cluster.ts';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import type { StateList } from '../../components/list/use-state-list.ts';
import { Spoken } from '../../components/spoken.tsx';
import { State } from '../../components/state.tsx';
import { useEntries, useVirtualRows } from '../../components/table/use-virtual-rows.ts';
import { Tag } from '../../components/tag.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { hopStates, stepLabels, steps } from './hop-labels.ts';
import css from './route-rows.module.css';

/** Row height in pixels; must match the style sheet. */
const rowHeight = 100;

/** Height of the header with the names of the steps, in pixels. */
const headHeight = 28;

/** Routes as graphs, one under the other with their steps in columns. Only the rows near the view exist. */
export function RouteRows({ list }: { readonly list: StateList<EdgeRoute> }) {
  const { listed, items, open, addressOf, show } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last } = useVirtualRows({
    ref: list.moves,
    scroller,
    entries: useEntries(items),
    keyOf: listed.key,
    open,
    rowHeight,
    headHeight,
  });
  useOneStop(scroller);
  return (
    <div ref={scroller} className={css.scroller}>
      <div className={css.steps} aria-hidden="true">
        {steps.map((step) => (
          <span key={step}>{stepLabels[step]}</span>
        ))}
      </div>
      <ul
        aria-label="Routes"
        style={{ paddingTop: first * rowHeight, paddingBottom: (items.length - last) * rowHeight }}
      >
        {items.slice(first, last).map((route) => {
          const key = listed.key(route);
          return (
            <li key={key} className={css.row} data-open={key === open}>
              <a
                className={css.link}
                href={addressOf(key)}
                data-key={key}
                aria-current={key === open ? 'true' : undefined}
                onClick={(event) => {
                  if (openedByPlainClick(event)) show(key);
                }}
              >
                <span className={css.head}>
                  <State {...healthStates[route.state]} />
                  <span className={css.title} title={listed.title(route)}>
                    {listed.title(route)}
                  </span>
                  <Tag>{route.kind === 'console' ? 'console' : route.kind}</Tag>
                  {route.kind !== 'console' && (
                    <span className={css.name}>
                      {route.namespace === undefined ? route.name : `${route.namespace}/${route.name}`}
                    </span>
                  )}
                  {route.reason !== undefined && (
                    <span className={css.why} title={asSentence(route.reason)}>
                      {asSentence(route.reason)}
                    </span>
                  )}
                </span>
                <span className={css.graph}>
                  {steps.map((step) => (
                    <Step key={step} step={step} route={route} />
                  ))}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** One hop of a route, or the line that passes by where a route has no such step; nothing behind its last. */
function Step({ step, route }: { readonly step: Hop['step']; readonly route: EdgeRoute }) {
  const hop = route.hops.find((candidate) => candidate.step === step);
  const last = route.hops.at(-1);
  if (hop === undefined) {
    const isBetween = last !== undefined && steps.indexOf(step) < steps.indexOf(last.step);
    return <span className={isBetween ? css.passed : undefined} />;
  }
  const { state, label } = hopStates[hop.state];
  const isLast = last === hop;
  return (
    <span className={css.hop} data-state={hop.state} data-last={isLast} title={`${hop.name}: ${hop.detail}`}>
      <span className={css.hopName}>
        <Glyph state={state} />
        <Spoken>{`${stepLabels[step]} ${label.toLowerCase()}: `}</Spoken>
        <span>{hop.name}</span>
      </span>
      <span className={css.hopDetail}>{hop.detail}</span>
    </span>
  );
}
