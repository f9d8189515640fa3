import { useQuery } from '@tanstack/react-query';
import { type InferenceWorkload, inferenceWorkload } from '#shared/api/fleet.ts';
import { formatNumber } from '../../components/format-quantity.ts';
import { IconCpu } from '../../components/icons/icons.ts';
import type { Listed } from '../../components/list/listed.ts';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import type { Column } from '../../components/table/state-table.tsx';
import { TiersStrip } from '../../components/tiers-strip.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import { engineLabels } from './engine-labels.ts';
import { InferenceFacts } from './inference-facts.tsx';
import { inferenceQuery } from './inference-query.ts';

const everyMs = 10_000;

const none: readonly InferenceWorkload[] = [];

const listed: Listed<InferenceWorkload> = {
  tab: 'inference',
  one: 'workload',
  many: 'inference workloads',
  icon: IconCpu,
  key: ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`,
  title: ({ name }) => name,
  state: ({ state }) => state,
  why: ({ reason }) => reason,
  namespace: ({ namespace }) => namespace,
  object: ({ kind, name, namespace }) => ({ kind, name, namespace }),
  searchText: ({ tier, engine, model, quantisation, image }) => [tier, engine, model, quantisation, image],
};

const columns: readonly Column<InferenceWorkload>[] = [
  { head: 'Tier', width: 96, wide: 140, cell: ({ tier }) => tier, hover: ({ tier }) => tier },
  {
    head: 'Model',
    width: 240,
    wide: 340,
    drop: 'first',
    cell: ({ model }) => model ?? 'not in its arguments',
    hover: ({ model }) => model,
  },
  {
    head: 'Engine',
    width: 84,
    wide: 110,
    drop: 'second',
    cell: ({ engine }) => engine !== undefined && engineLabels[engine],
  },
  { head: 'Quantised', width: 84, drop: 'third', cell: ({ quantisation }) => quantisation },
  {
    head: 'Context',
    width: 78,
    drop: 'second',
    numbers: true,
    cell: ({ context_length }) => context_length !== undefined && formatNumber(context_length),
    hover: ({ context_length }) =>
      context_length === undefined ? undefined : `${formatNumber(context_length)} tokens`,
  },
  { head: 'GPUs', width: 56, numbers: true, drop: 'second', cell: ({ gpus }) => gpus },
  {
    head: 'Ready',
    width: 60,
    numbers: true,
    cell: ({ replicas_ready, replicas_desired }) => `${replicas_ready}/${replicas_desired}`,
  },
  {
    head: 'Out of memory',
    width: 104,
    numbers: true,
    drop: 'first',
    cell: ({ out_of_memory }) => out_of_memory.length,
  },
];

/** What serves the models: engine, model, context and GPUs as deployed, and what was killed for memory. */
export function InferencePage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...inferenceQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none);
  return (
    <StateListPage
      title="Inference"
      query={query}
      list={list}
      exported={inferenceWorkload.keyof().options}
      columns={columns}
      nameWidth={150}
      zero={
        <p>
          An inference workload is one with the label <code>platform.dev/tier</code>.
        </p>
      }
      above={({ tiers }) => <TiersStrip tiers={tiers} />}
      drawer={(workload) => <InferenceFacts workload={workload} />}
    />
  );
}
