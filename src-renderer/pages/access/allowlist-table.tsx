import { useMemo } from 'react';
import type { AllowlistItem } from '#shared/api/access.ts';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useSession } from '../../core/session.tsx';
import { membershipLabel, setLabel, unsetLabel } from './allowlist-labels.ts';

const keyOf = ({ name }: AllowlistItem): string => name;

/** Every allowlist: what it guards, whether the person may, how it is set, and the rule while it is not. */
export function AllowlistTable({ lists }: { readonly lists: readonly AllowlistItem[] }) {
  const { me } = useSession();
  const columns = useMemo(() => allowlistColumns(me.authed), [me.authed]);
  return <PanelTable id="allowlists" label="Allowlists" columns={columns} rows={lists} keyOf={keyOf} />;
}

const allowlistColumns = (authed: boolean): readonly TableColumn<AllowlistItem>[] => [
  {
    id: 'list',
    title: 'List',
    width: (view) => (view >= 900 ? 280 : 200),
    wraps: true,
    value: ({ name }) => name,
    cell: ({ name }) => <code>{name}</code>,
  },
  { id: 'guards', title: 'Guards', wraps: true, value: ({ guards }) => guards },
  {
    id: 'you',
    title: 'You',
    width: 190,
    value: (list) => membershipLabel(list, authed).label,
    cell: (list) => <State {...membershipLabel(list, authed)} />,
  },
  { id: 'set', title: 'Set', width: 180, from: 640, quiet: true, wraps: true, value: setLabel },
  { id: 'unset', title: 'While unset', width: 130, from: 760, quiet: true, value: unsetLabel },
];
