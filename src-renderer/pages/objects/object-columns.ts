import type { ObjectColumn, ObjectRow, ServedKind } from '#shared/api/objects.ts';
import type { CellValue, TableColumn } from '../../components/table/table-column.ts';

/** Pixels of a table from which on columns of `-o wide` are shown, and how much more each of them needs. */
const wideFrom = 1_500;
const wideStep = 140;

/** Pixels of a character, of what stands around a cell, and how wide a cell may be. */
const perCharacter = 7.2;
const around = 26;
const leastWidth = 72;
const mostWidth = 260;

/** Rows whose cells are measured. */
const mostMeasured = 200;

type Listed = {
  readonly columns: readonly ObjectColumn[];
  /** The first rows, for the widths. */
  readonly rows: readonly ObjectRow[];
  readonly kind: Pick<ServedKind, 'namespaced'>;
  /** The one namespace that is listed. */
  readonly namespace: string | undefined;
};

/** The columns of a list: the object's name and namespace, then what `kubectl get` shows beside them. */
export function tableColumns({ columns, rows, kind, namespace }: Listed): readonly TableColumn<ObjectRow>[] {
  const used = new Set(['name', 'namespace']);
  const measured = rows.slice(0, mostMeasured);
  const widthOf = (title: string, texts: readonly string[]): number =>
    widthFor(Math.max(title.length, ...texts.map((text) => text.length)));
  let wide = 0;
  return [
    { id: 'name', title: 'Name', link: true, value: ({ name }) => name, hover: ({ name }) => name },
    ...(kind.namespaced && namespace === undefined
      ? [
          {
            id: 'namespace',
            title: 'Namespace',
            width: widthOf(
              'Namespace',
              measured.map((row) => row.namespace ?? ''),
            ),
            quiet: true as const,
            value: (row: ObjectRow) => row.namespace,
            hover: (row: ObjectRow) => row.namespace,
          },
        ]
      : []),
    ...columns.flatMap((column, index) => {
      // The identity of the row, shown first, whatever place kubectl gives it.
      if (column.name === 'Name') return [];
      const width = widthOf(
        column.name,
        measured.map(({ cells }) => String(cells[index] ?? '')),
      );
      const from = column.wide ? wideFrom + wideStep * wide++ : undefined;
      return [tableColumn(column, index, { id: idOf(column.name, used), width, from })];
    }),
  ];
}

const widthFor = (characters: number): number =>
  Math.round(Math.min(mostWidth, Math.max(leastWidth, characters * perCharacter + around)));

function tableColumn(
  { name, type }: ObjectColumn,
  index: number,
  { id, width, from }: { readonly id: string; readonly width: number; readonly from: number | undefined },
): TableColumn<ObjectRow> {
  const isNumber = type === 'integer' || type === 'number';
  const cellOf = ({ cells }: ObjectRow): CellValue => cells[index] ?? undefined;
  return {
    id,
    title: name,
    width,
    ...(isNumber && { numbers: true as const }),
    ...(from !== undefined && { from }),
    value: cellOf,
    hover: (row) => cellOf(row)?.toString(),
    // Ages are texts, such as 5d3h: they are ordered by the time they stand for.
    ...(name === 'Age' && {
      rank: ({ created_at }) => (created_at === undefined ? undefined : -Date.parse(created_at)),
    }),
  };
}

/** A name for the address, unique in the table: `Port(s)` becomes `ports`. */
function idOf(name: string, used: Set<string>): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '');
  const base = /^[a-z]/.test(words) ? words : `c${words}`;
  let id = base;
  for (let number = 2; used.has(id); number += 1) id = `${base}${number}`;
  used.add(id);
  return id;
}
