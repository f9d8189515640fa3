import { useQuery } from '@tanstack/react-query';
import type { Reading } from '#shared/api/reading.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { pageHref } from '#shared/page-address.ts';
import { runStates, worstFirst } from '../../components/run-state.ts';
import { nodesQuery } from '../../core/node-queries.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useReading } from '../../core/reading.tsx';
import { type Tally, tallyOf } from './overview-labels.ts';
import { type DashboardAnswer, securityQuery } from './overview-queries.ts';
import css from './summary-strip.module.css';
import type { RecentRuns } from './use-recent-runs.ts';

/** Refresh interval of node and certificate counts, in milliseconds. */
const everyMs = 30_000;

type SummaryStripProps = {
  readonly answer: DashboardAnswer;
  readonly runs: RecentRuns;
  readonly target: string | undefined;
};

/** Shows the overall state in five figures, each a link to its page. */
export function SummaryStrip({ answer, runs, target }: SummaryStripProps) {
  const { every } = useReading();
  const nodes = useQuery({ ...nodesQuery(target), refetchInterval: every(everyMs) });
  const security = useQuery({ ...securityQuery(target), refetchInterval: every(everyMs) });
  const at = { ...(target !== undefined && { target }) };
  return (
    <ul className={css.strip}>
      <Cell
        title="Workloads"
        to={{ tab: 'namespaces', ...at }}
        reading={answer}
        tally={tallyOf(answer.workloads.map(({ state }) => state))}
        none="none tracked"
      />
      <Cell
        title="Instances"
        to={{ tab: 'controlPlanes', ...at }}
        reading={answer}
        tally={tallyOf(answer.instances.map(({ state }) => state))}
        none="none found"
      />
      <Cell
        title="Nodes"
        to={{ tab: 'nodes', ...at }}
        reading={nodes.data}
        tally={tallyOf(nodes.data?.items.map(({ state }) => state) ?? [])}
        none="none listed"
      />
      <Cell
        title="Runs, 24 h"
        to={{ tab: 'runs', since: new Date(runs.since).toISOString() }}
        reading={runs.query.data}
        tally={worstFirst
          .map((key) => ({ key, ...runStates[key], count: runs.query.data?.counts[key] ?? 0 }))
          .filter(({ count }) => count > 0)}
        none="none started"
      />
      <Cell
        title="Mesh CAs"
        to={{ tab: 'security', ...at }}
        reading={security.data}
        tally={tallyOf(security.data?.items.map(({ state }) => state) ?? [])}
        none="none found"
      />
    </ul>
  );
}

type CellProps = {
  readonly title: string;
  readonly to: PageAddress;
  /** Undefined until it is read. */
  readonly reading: Reading | undefined;
  /** Worst first. */
  readonly tally: readonly Tally[];
  /** Label of a genuine zero. */
  readonly none: string;
};

/** States that are said in words; the others are only in the bar. */
const mostLabels = 2;

function Cell({ title, to, reading, tally, none }: CellProps) {
  const [, go] = usePageAddress();
  const total = tally.reduce((sum, { count }) => sum + count, 0);
  const unread = reading === undefined || (reading.source === 'unavailable' && total === 0);
  const exceptions = tally.filter(({ state }) => state !== 'healthy' && state !== 'idle');
  const label = unread
    ? reading === undefined
      ? 'being read'
      : 'not read'
    : total === 0
      ? reading.complete
        ? none
        : 'none in the data read'
      : exceptions.length === 0
        ? `all ${(tally.find(({ state }) => state === 'healthy') ?? tally[0])?.label.toLowerCase()}`
        : undefined;
  return (
    <li>
      <a
        className={css.cell}
        href={pageHref(to)}
        onClick={(event) => {
          if (openedByPlainClick(event)) go(to);
        }}
      >
        <span className={css.head}>
          {title} {!unread && <b>{total.toLocaleString('en')}</b>}
        </span>
        <span className={css.bar} aria-hidden="true">
          {total === 0 ? (
            <i data-state={unread && reading !== undefined ? 'unknown' : 'idle'} />
          ) : (
            tally.map(({ key, state, count }) => (
              <i key={key} data-state={state} style={{ flexGrow: count }} />
            ))
          )}
        </span>
        <span className={css.words}>
          {label ??
            exceptions.slice(0, mostLabels).map(({ key, state, label, count }, index) => (
              <span key={key} data-state={state}>
                {index > 0 && ', '}
                {count} {label.toLowerCase()}
              </span>
            ))}
        </span>
      </a>
    </li>
  );
}
