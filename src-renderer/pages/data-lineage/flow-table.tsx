import { counted } from '#shared/text.ts';
import { Panel } from '../../components/panel.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { DataLineageAnswer } from './data-lineage-query.ts';

type Edge = DataLineageAnswer['edges'][number];

const known = ({ declared, observed }: Edge): string =>
  observed === undefined ? 'declared' : declared ? 'declared and observed' : 'observed';

const columns: readonly TableColumn<Edge>[] = [
  {
    id: 'from',
    title: 'From',
    value: ({ from }) => from,
    hover: ({ from }) => from,
    cell: ({ from }) => <code>{from}</code>,
  },
  {
    id: 'to',
    title: 'To',
    value: ({ to }) => to,
    hover: ({ to }) => to,
    cell: ({ to }) => <code>{to}</code>,
  },
  { id: 'kind', title: 'Kind', width: 90, value: ({ kind }) => kind, hover: ({ kind }) => kind },
  {
    id: 'known',
    title: 'Known from',
    width: 160,
    value: known,
    cell: (edge) => <Tag strong={!edge.declared}>{known(edge)}</Tag>,
  },
  {
    id: 'count',
    title: 'Observed',
    width: 90,
    numbers: true,
    value: ({ observed }) => observed?.count,
    cell: ({ observed }) => observed?.count.toLocaleString('en'),
  },
  {
    id: 'seen',
    title: 'Last seen',
    width: 110,
    value: ({ observed }) => observed?.last_seen,
    cell: ({ observed }) => observed !== undefined && <TimeAgo at={Date.parse(observed.last_seen)} />,
  },
  {
    id: 'apps',
    title: 'Reported by',
    width: 160,
    quiet: true,
    from: 1200,
    value: ({ observed }) => observed?.apps.join(', '),
    hover: ({ observed }) => observed?.apps.join(', '),
  },
];

/** Every flow, in words. */
export function FlowTable({ edges }: { readonly edges: DataLineageAnswer['edges'] }) {
  const undeclared = edges.filter(({ declared }) => !declared).length;
  return (
    <Panel
      title="Flows"
      sub={`${counted(edges.length, 'flow')}${undeclared === 0 ? '' : `, ${undeclared} not declared`}`}
    >
      <PanelTable
        id="dataFlows"
        label="Data flows"
        columns={columns}
        rows={edges}
        keyOf={({ from, to, kind }) => JSON.stringify([from, to, kind])}
      />
    </Panel>
  );
}
