import { useMemo } from 'react';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { sortRows } from './sort-rows.ts';
import { useArrangement } from './use-arrangement.ts';

type PanelTableProps<Row> = Omit<DataTableProps<Row>, 'sort' | 'onSort' | 'fit'>;

/** A table among other things of a page, as high as its rows. Its order is in the address after its name. */
export function PanelTable<Row>({ rows, ...props }: PanelTableProps<Row>) {
  const { id, columns } = props;
  const { sort, change } = useArrangement(id);
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  return <DataTable {...props} rows={sorted} sort={sort} onSort={(next) => change({ sort: next })} fit />;
}
