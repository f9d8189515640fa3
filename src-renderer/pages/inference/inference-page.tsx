import { useQuery } from '@tanstack/react-query';
import { type InferenceWorkload, inferenceWorkload } from '#shared/api/fleet.ts';
import { formatNumber } from '../../components/format-quantity.ts';
import type { Listed } from '../../components/list/listed.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TiersStrip } from '../../components/tiers-strip.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconCpu } from '../../core/icons/icons.ts';
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

const columns: readonly TableColumn<InferenceWorkload>[] = [
  { id: 'tier', title: 'Tier', width: widens(96, 140), value: ({ tier }) => tier, hover: ({ tier }) => tier },
  {
    id: 'model',
    title: 'Model',
    width: widens(240, 340),
    from: fits.first,
    value: ({ model }) => model,
    cell: ({ model }) => model ?? 'not in its arguments',
    hover: ({ model }) => model,
  },
  {
    id: 'engine',
    title: 'Engine',
    width: widens(84, 110),
    from: fits.second,
    value: ({ engine }) => engine && engineLabels[engine],
  },
  {
    id: 'quantised',
    title: 'Quantised',
    width: 84,
    from: fits.third,
    value: ({ quantisation }) => quantisation,
  },
  {
    id: 'context',
    title: 'Context',
    width: 78,
    from: fits.second,
    numbers: true,
    value: ({ context_length }) => context_length,
    cell: ({ context_length }) => context_length !== undefined && formatNumber(context_length),
    hover: ({ context_length }) =>
      context_length === undefined ? undefined : `${formatNumber(context_length)} tokens`,
  },
  { id: 'gpus', title: 'GPUs', width: 56, numbers: true, from: fits.second, value: ({ gpus }) => gpus },
  {
    id: 'ready',
    title: 'Ready',
    width: 60,
    numbers: true,
    value: ({ replicas_ready, replicas_desired }) => `${replicas_ready}/${replicas_desired}`,
  },
  {
    id: 'outOfMemory',
    title: 'Out of memory',
    width: 104,
    numbers: true,
    from: fits.first,
    value: ({ out_of_memory }) => out_of_memory.length,
  },
];

/** Shows the inference engines: engine, model, context and GPUs as deployed, and out-of-memory kills. */
export function InferencePage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...inferenceQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none, { columns, nameWidth: 150 });
  return (
    <StateListPage
      title="Inference"
      query={query}
      list={list}
      exported={inferenceWorkload.keyof().options}
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
