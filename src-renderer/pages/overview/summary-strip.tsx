import { useQuery } from '@tanstack/react-query';
import type { Reading } from '#shared/api/reading.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { runStates, worstFirst } from '../../components/run-state.ts';
import { nodesQuery } from '../../core/node-queries.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useReading } from '../../core/reading.tsx';
import { type Tally, tallyOf, tallyOfCounts } from './overview-labels.ts';
import { type DashboardAnswer, securityQuery } from './overview-queries.ts';
import css from './summary-strip.module.css';
import type { RecentRuns } from './use-recent-runs.ts';

/** Refresh interval of node and certificate counts, in milliseconds. */
const everyMs = 30_000;

type SummaryStripProps = {
  /** Undefined until it is read. */
  readonly answer: DashboardAnswer | undefined;
  readonly runs: RecentRuns;
  readonly target: string | undefined;
};

/** Shows the overall state in five figures, each a link to its page. */
export function SummaryStrip({ answer, runs, target }: SummaryStripProps) {
  const { every } = useReading();
  const nodes = useQuery({ ...nodesQuery(target), refetchInterval: every(everyMs) });
  const security = useQuery({ ...securityQuery(target), refetchInterval: every(everyMs) });
  const certificates =
    security.data === undefined ? [] : [...security.data.items, ...security.data.certificates];
  const at = { ...(target !== undefined && { target }) };
  return (
    <ul className={css.strip}>
      <Cell
        title="Workloads"
        to={{ tab: 'namespaces', ...at }}
        reading={answer}
        tally={
          answer?.workload_counts === undefined
            ? tallyOf(answer?.workloads.map(({ state }) => state) ?? [])
            : tallyOfCounts(answer.workload_counts)
        }
        {...(answer?.workload_counts !== undefined && {
          marked: `${answer.workloads.length.toLocaleString('en')} tracked`,
        })}
        none="none found"
      />
      <Cell
        title="Instances"
        to={{ tab: 'controlPlanes', ...at }}
        reading={answer}
        tally={tallyOf(answer?.instances.map(({ state }) => state) ?? [])}
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
        title="Certificates"
        to={{ tab: 'security', ...at }}
        reading={security.data}
        tally={tallyOf(certificates.map(({ state }) => state))}
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
  /** Label of a part of them, such as `12 tracked`. */
  readonly marked?: string;
  /** Label of a genuine zero. */
  readonly none: string;
};

/** States that are said in words; the others are only in the bar. */
const mostLabels = 2;

function Cell({ title, to, reading, tally, marked, none }: CellProps) {
  const [, go] = usePageAddress();
  const href = useHref();
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
        href={href(to)}
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
          {!unread && total > 0 && marked !== undefined && (
            <span className={css.marked}>
              {', '}
              {marked}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
