import { useQuery } from '@tanstack/react-query';
import { type NodeRow, nodeRow } from '#shared/api/cluster.ts';
import { ObjectDialog } from '../../components/cluster/object-dialog.tsx';
import { formatBytes, formatCores, formatShare } from '../../components/format-quantity.ts';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { ShareBar } from '../../components/share-bar.tsx';
import { nameWidth } from '../../components/table/name-width.ts';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import type { Column } from '../../components/table/state-table.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { nodesQuery } from '../../core/node-queries.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { HeatMap } from './heat-map.tsx';
import { listedNodes } from './listed-nodes.ts';
import { NodeDetail } from './node-detail.tsx';
import { fullFrom, loadOf } from './node-load.ts';
import css from './nodes-page.module.css';

/** How often nodes are read again while the page is visible, in milliseconds; a change is heard of sooner. */
const everyMs = 10_000;

const none: readonly NodeRow[] = [];

const columns: readonly Column<NodeRow>[] = [
  {
    head: 'CPU requested',
    width: 144,
    wide: 186,
    cell: (node) => <LoadCell node={node} resource="cpu_cores" />,
    hover: (node) => loadLabel(node, 'cpu_cores'),
  },
  {
    head: 'Memory requested',
    width: 144,
    wide: 186,
    cell: (node) => <LoadCell node={node} resource="memory_bytes" />,
    hover: (node) => loadLabel(node, 'memory_bytes'),
  },
  {
    head: 'Pods',
    width: 60,
    numbers: true,
    drop: 'first',
    cell: ({ pods }) => pods?.toLocaleString('en') ?? <NotReadCell width={20} />,
  },
  {
    head: 'Kept for',
    width: 116,
    wide: 150,
    drop: 'second',
    cell: ({ dedicated_to }) => dedicated_to ?? '',
    hover: ({ dedicated_to }) => dedicated_to,
  },
  {
    head: 'Version',
    width: 84,
    drop: 'second',
    cell: ({ version }) => version ?? <NotReadCell width={48} />,
    hover: ({ version }) => version,
  },
];

/** How loaded each node is, which is in trouble, and whether those kept for somebody are. */
export function NodesPage() {
  const target = useClusterTarget();
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const query = useQuery({ ...nodesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listedNodes, query.data?.items ?? none);
  const { record, panel } = address;
  return (
    <>
      <StateListPage
        title="Nodes"
        query={query}
        list={list}
        exported={nodeRow.keyof().options}
        columns={columns}
        nameWidth={nameWidth(
          list.items.map(({ name }) => name),
          188,
          300,
        )}
        zero={<p>A cluster always has some, so this target lists none that may be read.</p>}
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
      <span className={css.share}>{formatShare(load.share)}</span>
    </span>
  );
}

function loadLabel(node: NodeRow, resource: LoadProps['resource']): string | undefined {
  const load = loadOf(node, resource);
  if (load === undefined) return undefined;
  const label = resource === 'cpu_cores' ? formatCores : formatBytes;
  return `${label(load.requested)} of ${label(load.allocatable)}`;
}
