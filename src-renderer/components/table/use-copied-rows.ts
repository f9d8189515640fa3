import { type ClipboardEvent, useCallback, useEffect, useState } from 'react';
import type { ObjectRef } from '#shared/api/cluster.ts';
import { formatCount } from '../format-quantity.ts';
import type { CopiedRows } from './copy-menu.tsx';
import { textOf } from './csv.ts';
import type { TableColumn } from './table-column.ts';

type Options<Row> = {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected: ReadonlySet<string>;
  readonly object: ((row: Row) => ObjectRef | undefined) | undefined;
  readonly narrowed: boolean;
};

/** Copies a table's selected rows, or all that it shows, and says so. */
type Copying<Row> = {
  readonly copied: () => CopiedRows<Row>;
  readonly copy: (text: string, format: string) => void;
  /** Copies the selected rows, else the row that has the focus, with the browser's own key. */
  readonly onCopy: (event: ClipboardEvent) => void;
  /** What was copied, for a moment. */
  readonly said: string | undefined;
};

/** Milliseconds for which what was copied is told. */
const saidMs = 3000;

export function useCopiedRows<Row>(options: Options<Row>): Copying<Row> {
  const { columns, rows, keyOf, selected, object, narrowed } = options;
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const selectedRows = () => rows.filter((row) => selected.has(keyOf(row)));
  const copied = (): CopiedRows<Row> => {
    const some = selected.size > 0;
    const taken = some ? selectedRows() : rows;
    const label = some
      ? `The ${formatCount(taken.length, 'selected row')}`
      : `The ${formatCount(taken.length, 'row')} shown`;
    return { columns, rows: taken, label, object, whole: !some && !narrowed };
  };
  const copy = useCallback((text: string, format: string) => {
    navigator.clipboard.writeText(text).then(
      () => setSaid(`Copied as ${format}`),
      () => setSaid('Not copied: the browser refused'),
    );
  }, []);
  const onCopy = (event: ClipboardEvent) => {
    if (getSelection()?.isCollapsed === false) return;
    const focused = keyOfFocus(document.activeElement);
    if (focused === undefined) return;
    const taken = selected.size > 0 ? selectedRows() : rows.filter((row) => keyOf(row) === focused);
    if (taken.length === 0) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', textOf(columns, taken));
    setSaid(`Copied ${formatCount(taken.length, 'row')}`);
  };
  return { copied, copy, onCopy, said };
}

/** The key of the row that has the focus, or whose link has it. */
export function keyOfFocus(target: EventTarget | null): string | undefined {
  return target instanceof HTMLElement ? target.dataset.key : undefined;
}
