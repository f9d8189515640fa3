import type { Delivery } from '#shared/api/delivery.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { healths, syncs } from './delivery-labels.ts';
import { Revision } from './revision.tsx';

/** The width of a column in a table of at most 760 pixels, of at least 1400, and between. */
const widths = (narrow: number, usual: number, wide: number) => (view: number) =>
  view <= 760 ? narrow : view < 1400 ? usual : wide;

const why = ({ detail }: Delivery): string => asSentence(detail);

/** Columns of the delivery table. */
export const deliveryColumns: readonly TableColumn<Delivery>[] = [
  {
    id: 'name',
    title: 'Delivery',
    link: true,
    width: (view) => (view <= 900 ? undefined : view < 1400 ? 168 : 260),
    value: ({ name }) => name,
    hover: ({ name }) => name,
  },
  {
    id: 'repo',
    title: 'Repository',
    width: widths(132, 144, 220),
    quiet: true,
    value: ({ repo }) => repo,
    hover: ({ repo }) => repo,
  },
  {
    id: 'sync',
    title: 'Sync',
    width: widths(106, 110, 110),
    value: ({ sync }) => syncs[sync].label,
    cell: ({ sync }) => <State {...syncs[sync]} />,
  },
  {
    id: 'health',
    title: 'Health',
    width: widths(106, 110, 110),
    value: ({ health }) => healths[health].label,
    cell: ({ health }) => <State {...healths[health]} />,
  },
  {
    id: 'revision',
    title: 'Revision',
    width: widths(150, 158, 158),
    value: ({ revision, target_revision }) => revision ?? target_revision,
    cell: (item) => <Revision {...item} />,
  },
  {
    id: 'since',
    title: 'Since',
    width: 92,
    from: 761,
    quiet: true,
    value: ({ last_transition }) => last_transition,
    cell: ({ last_transition }) => <TimeAgo at={Date.parse(last_transition)} />,
  },
  { id: 'why', title: 'Why', from: 901, quiet: true, value: why, hover: why },
];
