import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { healthState } from '#shared/api/cluster.ts';
import type { Rollup } from '#shared/api/intelligence.ts';
import { counted } from '#shared/text.ts';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { healthStates } from '../../components/health-states.ts';
import { Board, Counted, Quiet } from '../../components/judged/board.tsx';
import { Page } from '../../components/page/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { formatTook, runStates, worstFirst } from '../../components/run-state.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import css from './swarm-page.module.css';
import { type SwarmAnswer, type SwarmDays, swarmQuery } from './swarm-query.ts';

const everyMs = 30_000;

const windows: readonly { readonly value: SwarmDays; readonly label: string }[] = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
];

const usualDays: SwarmDays = '7';

/** Shows how the fleet of agents is, and what its runs came to. */
export function SwarmPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const [{ days: named }, go] = usePageAddress();
  const days = windows.find(({ value }) => value === named)?.value ?? usualDays;
  const query = useQuery({ ...swarmQuery(target, days), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Swarm"
      sub="The fleet of agents and its runs"
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          <SegmentedControl
            aria-label="Days of runs"
            size="xs"
            data={[...windows]}
            value={days}
            onChange={(value) =>
              go({
                tab: 'swarm',
                ...(target !== undefined && { target }),
                ...(value !== usualDays && { days: value }),
              })
            }
          />
        </>
      }
    >
      <ClusterRead query={query} what="Agents and runs" board skeleton={<SkeletonRows rows={8} />}>
        {(answer) => (
          <Board>
            <ReadingNotices query={query} />
            <div className={css.pair}>
              <Fleet answer={answer} />
              <Runs answer={answer} />
            </div>
            <RunNames answer={answer} />
          </Board>
        )}
      </ClusterRead>
    </Page>
  );
}

function Fleet({ answer: { health, counted: how, evidence } }: { readonly answer: SwarmAnswer }) {
  const target = useClusterTarget();
  const roster = { tab: 'agents', ...(target !== undefined && { target }) };
  return (
    <Panel title="Fleet" sub={<PageLink to={roster}>Roster</PageLink>}>
      <Facts>
        <Fact name="Agents">
          {counted(health.agents, 'agent')}, {health.enabled} enabled
        </Fact>
        <Fact name="Health">
          <span className={css.states}>
            {healthState.options.map((name) => {
              const count = health.states[name];
              const look = healthStates[name];
              return count === undefined ? null : (
                <State key={name} {...look} label={`${count} ${look.label.toLowerCase()}`} />
              );
            })}
            {health.agents === 0 && 'No agents in the roster'}
          </span>
        </Fact>
      </Facts>
      <Basis how={how.health} source="/api/agents" evidence={evidence} />
    </Panel>
  );
}

function Runs({
  answer: { runs, smallest_sample, counted: how, evidence },
}: {
  readonly answer: SwarmAnswer;
}) {
  return (
    <Panel title="Runs" sub={counted(runs.runs, 'run')}>
      <Facts>
        <Fact name="Outcomes">
          <span className={css.states}>
            {worstFirst.map((name) => {
              const count = runs.states[name];
              const { state, label } = runStates[name];
              return count === undefined ? null : (
                <State key={name} state={state} label={`${count} ${label.toLowerCase()}`} />
              );
            })}
            {runs.runs === 0 && 'No runs started'}
          </span>
        </Fact>
        <Fact name="Median">{tookText(runs.latency.p50_seconds, runs, smallest_sample)}</Fact>
        <Fact name="95th percentile">{tookText(runs.latency.p95_seconds, runs, smallest_sample)}</Fact>
      </Facts>
      <Basis how={`${how.runs} ${how.latency}`} source="/api/runs" evidence={evidence} />
    </Panel>
  );
}

function Basis({
  how,
  source,
  evidence,
}: {
  readonly how: string;
  readonly source: string;
  readonly evidence: SwarmAnswer['evidence'];
}) {
  const facts = evidence.filter((each) => each.source === source);
  return (
    <Counted>
      {how}{' '}
      {facts.map(({ fact }) => (
        <span key={fact}>
          Evidence: <code>{source}</code> {fact}
        </span>
      ))}
    </Counted>
  );
}

/** A duration with the number of runs it is of, or why there is none. */
function tookText(seconds: number | undefined, { latency }: Rollup, least: number): string {
  if (seconds !== undefined) return `${formatTook(seconds)}, of ${counted(latency.sample, 'ended run')}`;
  return `Not measured: ${counted(latency.sample, 'run')} ended, ${least} are needed`;
}

type Row = SwarmAnswer['by_name'][number];

const columns: readonly TableColumn<Row>[] = [
  { id: 'name', title: 'Name', value: ({ name }) => name, hover: ({ name }) => name },
  { id: 'runs', title: 'Runs', width: 80, numbers: true, value: ({ runs }) => runs },
  {
    id: 'failed',
    title: 'Failed',
    width: 80,
    numbers: true,
    value: ({ states }) => states.failure ?? 0,
  },
  {
    id: 'succeeded',
    title: 'Succeeded',
    width: 100,
    numbers: true,
    from: 560,
    value: ({ states }) => states.success ?? 0,
  },
  {
    id: 'sample',
    title: 'Ended',
    width: 80,
    numbers: true,
    from: 640,
    value: ({ latency }) => latency.sample,
  },
  ...(['p50_seconds', 'p95_seconds'] as const).map(
    (figure): TableColumn<Row> => ({
      id: figure,
      title: figure === 'p50_seconds' ? 'Median' : '95th percentile',
      width: 130,
      value: ({ latency }) => latency[figure],
      cell: ({ latency }) => {
        const seconds = latency[figure];
        return seconds === undefined ? 'Too few' : formatTook(seconds);
      },
    }),
  ),
];

function RunNames({ answer: { by_name } }: { readonly answer: SwarmAnswer }) {
  return (
    <Panel title="By name" sub={counted(by_name.length, 'name')}>
      {by_name.length === 0 ? (
        <Quiet>No runs started in this time.</Quiet>
      ) : (
        <PanelTable
          id="swarmRuns"
          label="Runs by name"
          columns={columns}
          rows={by_name}
          keyOf={({ name }) => name}
        />
      )}
    </Panel>
  );
}
