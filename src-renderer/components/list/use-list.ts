import { type RefObject, useCallback, useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import { listCommands } from '../../core/list-commands.ts';
import { sortRows } from '../table/sort-rows.ts';
import type { TableColumn } from '../table/table-column.ts';
import type { RowMoves, Step } from '../table/use-virtual-rows.ts';
import type { ListAddress } from './use-list-address.ts';

type ListOptions<Row, Filter> = {
  readonly address: ListAddress<Filter>;
  /** The rows that are narrowed to, in the list's own order. */
  readonly rows: readonly Row[];
  /** Columns, if the rows are shown as a table. */
  readonly columns?: readonly TableColumn<Row>[];
  /** Constants of the page. */
  readonly keyOf: (row: Row) => string;
  readonly command: (row: Row) => Omit<Command, 'group' | 'run'>;
  /** The row that is shown when the address names none, as beside a reading. */
  readonly shown?: string | undefined;
  /** False while something covers the list: its keys are not heard then. */
  readonly active?: boolean;
};

/** A list as its page handles it. */
export type List<Row> = {
  /** In the order they are shown. */
  readonly rows: readonly Row[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly moves: RefObject<RowMoves<Row> | null>;
  /** Moves the focus; a row that is shown beside the list follows. */
  move(step: Step): void;
  /** Closes the open row and gives the focus back to its place in the list. */
  close(): void;
};

/** Rows the palette knows: the first, which are the ones asked about. */
const mostInPalette = 200;

const noColumns: readonly never[] = [];
const noCommands: readonly Command[] = [];

/** A list with its state in the address: sorted, moved in with `/`, `j` and `k`, its rows in the palette. */
export function useList<Row, Filter>(options: ListOptions<Row, Filter>): List<Row> {
  const { address, columns = noColumns, keyOf, command, shown, active = true } = options;
  const { sort, show, open = shown } = address;
  const input = useRef<HTMLInputElement>(null);
  const moves = useRef<RowMoves<Row>>(null);
  const rows = useMemo(() => sortRows(options.rows, columns, sort), [options.rows, columns, sort]);
  const beside = open !== undefined;
  const move = useCallback(
    (step: Step) => {
      const row = moves.current?.move(step);
      if (row !== undefined && beside) show(keyOf(row));
    },
    [beside, keyOf, show],
  );
  const commands = useMemo<readonly Command[]>(
    () => [
      ...listCommands({ filter: { focus: () => input.current?.focus() }, move }),
      ...rows.slice(0, mostInPalette).map<Command>((row) => ({
        ...command(row),
        group: 'Records',
        run: () => show(keyOf(row)),
      })),
    ],
    [rows, command, keyOf, move, show],
  );
  useCommands(active ? commands : noCommands);
  return {
    rows,
    input,
    moves,
    move,
    close: () => {
      address.leave();
      if (open !== undefined) moves.current?.focus(open);
    },
  };
}
