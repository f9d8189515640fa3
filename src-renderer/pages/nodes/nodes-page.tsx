import { useQuery } from '@tanstack/react-query';
import { type NodeRow, nodeRow } from '#shared/api/cluster.ts';
import { ObjectDialog } from '../../components/cluster/object-dialog.tsx';
import { formatBytes, formatCores, formatCount, formatShare } from '../../components/format-quantity.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { ShareBar } from '../../components/share-bar.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { nodesQuery } from '../../core/node-queries.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { HeatMap } from './heat-map.tsx';
import { listedNodes } from './listed-nodes.ts';
import { NodeDetail } from './node-detail.tsx';
import { bounded, fullFrom, loadOf } from './node-load.ts';
import css from './nodes-page.module.css';

/** Refresh interval of the nodes while the page is visible, in milliseconds; changes arrive sooner. */
const everyMs = 10_000;

const none: readonly NodeRow[] = [];

const nameWidth = { least: 188, most: 300 };

const columns: readonly TableColumn<NodeRow>[] = [
  {
    id: 'cpu',
    title: 'CPU requested',
    width: widens(144, 186),
    value: (node) => loadOf(node, 'cpu_cores')?.share,
    cell: (node) => <LoadCell node={node} resource="cpu_cores" />,
    hover: (node) => loadLabel(node, 'cpu_cores'),
  },
  {
    id: 'memory',
    title: 'Memory requested',
    width: widens(144, 186),
    value: (node) => loadOf(node, 'memory_bytes')?.share,
    cell: (node) => <LoadCell node={node} resource="memory_bytes" />,
    hover: (node) => loadLabel(node, 'memory_bytes'),
  },
  {
    id: 'pods',
    title: 'Pods',
    width: 66,
    numbers: true,
    from: fits.first,
    value: ({ pods }) => pods,
    cell: (node) =>
      node.pods === undefined ? (
        <NotReadCell width={20} />
      ) : (
        <>
          <AtLeast node={node} />
          {node.pods.toLocaleString('en')}
        </>
      ),
    hover: (node) => (node.pods === undefined ? undefined : bounded(node, formatCount(node.pods, 'pod'))),
  },
  {
    id: 'keptFor',
    title: 'Dedicated to',
    width: widens(116, 150),
    from: fits.second,
    value: ({ dedicated_to }) => dedicated_to,
    hover: ({ dedicated_to }) => dedicated_to,
  },
  {
    id: 'version',
    title: 'Version',
    width: 84,
    from: fits.second,
    value: ({ version }) => version,
    cell: ({ version }) => version ?? <NotReadCell width={48} />,
    hover: ({ version }) => version,
  },
];

/** Shows each node's load, which nodes are failing, and whether dedicated nodes are isolated. */
export function NodesPage() {
  const target = useClusterTarget();
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const query = useQuery({ ...nodesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listedNodes, query.data?.items ?? none, { columns, nameWidth });
  const { record, panel } = address;
  return (
    <>
      <StateListPage
        title="Nodes"
        query={query}
        list={list}
        exported={nodeRow.keyof().options}
        zero={<p>Every cluster has some, so this target lists none you may read.</p>}
        above={() => (list.items.length === 0 ? null : <HeatMap list={list} />)}
        drawer={(node) => <NodeDetail row={node} />}
      />
      {record !== null && panel === 'yaml' && (
        <ObjectDialog
          object={{ kind: 'Node', name: record }}
          onClose={() => go(addressWith(address, { panel: undefined }))}
        />
      )}
    </>
  );
}

type LoadProps = { readonly node: NodeRow; readonly resource: 'cpu_cores' | 'memory_bytes' };

function LoadCell({ node, resource }: LoadProps) {
  const load = loadOf(node, resource);
  if (load === undefined) return <NotReadCell width={72} />;
  return (
    <span className={css.load}>
      <ShareBar share={load.share} strained={load.share >= fullFrom} />
      <span className={css.share}>
        <AtLeast node={node} />
        {formatShare(load.share)}
      </span>
    </span>
  );
}

function loadLabel(node: NodeRow, resource: LoadProps['resource']): string | undefined {
  const load = loadOf(node, resource);
  if (load === undefined) return undefined;
  const label = resource === 'cpu_cores' ? formatCores : formatBytes;
  return bounded(node, `${label(load.requested)} of ${label(load.allocatable)}`);
}

/** Stands before a lower bound. */
function AtLeast({ node }: { readonly node: NodeRow }) {
  if (node.at_least !== true) return null;
  return (
    <>
      <Spoken>at least </Spoken>
      <span aria-hidden="true">≥ </span>
    </>
  );
}
