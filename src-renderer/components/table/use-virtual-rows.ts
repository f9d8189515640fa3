import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import { movedIndex } from '../../core/keys.ts';
import { type Entry, plainEntries } from './table-entries.ts';

/** A keyboard move: one row, one page, or to an end. */
export type Step = 1 | -1 | 'page' | 'pageBack' | 'first' | 'last';

/** Moves among rows from outside of them. */
export type RowMoves<Row> = {
  /** Moves the focus and returns the row it came to; from outside, to the open row or the near end. */
  move(step: Step): Row | undefined;
  /** Gives the focus to a row, when it is there. */
  focus(key: string): void;
};

type VirtualRows<Row> = {
  readonly ref: Ref<RowMoves<Row>>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly entries: readonly Entry<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Row to start from when no row has the focus. */
  readonly open: string | undefined;
  /** Pixels. */
  readonly rowHeight: number;
  /** Height of the sticky header, in pixels. */
  readonly headHeight: number;
  /** Draws every row, each as high as it is. */
  readonly all?: boolean;
};

/** Lines drawn beyond each edge of the view, so that a flick of the wheel meets rows and no gap. */
const overscan = 24;

/** The rows to draw: from `first` up to, not including, `last`. */
export type DrawnRows = { readonly first: number; readonly last: number };

/** The rows to draw of a long list whose links or rows carry `data-key`, and the moves among them. */
export function useVirtualRows<Row>(rows: VirtualRows<Row>): DrawnRows {
  const { ref, scroller, entries, keyOf, open, rowHeight, headHeight, all = false } = rows;
  const wanted = useRef<string>(undefined);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    enabled: !all,
  });
  useLayoutEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);

  const linkOf = (key: string) =>
    scroller.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  const indexOf = (key: string | null | undefined) =>
    entries.findIndex((entry) => entry.kind === 'row' && keyOf(entry.row) === key);
  const focus = (index: number) => {
    const element = scroller.current;
    const entry = entries[index];
    if (element === null || entry?.kind !== 'row') return;
    const top = index * rowHeight;
    const view = element.clientHeight - headHeight - rowHeight;
    if (all) linkOf(keyOf(entry.row))?.scrollIntoView({ block: 'nearest' });
    else if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + view) element.scrollTop = top - view;
    wanted.current = keyOf(entry.row);
    linkOf(wanted.current)?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    // A row far away is drawn only once the view is there.
    if (wanted.current === undefined) return;
    const link = linkOf(wanted.current);
    if (link === null || link === undefined) return;
    wanted.current = undefined;
    if (document.activeElement !== link) link.focus({ preventScroll: true });
  });
  useImperativeHandle(ref, () => ({
    move(step) {
      const places = entries.flatMap((entry, index) => (entry.kind === 'row' ? [index] : []));
      const focused = indexOf(document.activeElement?.getAttribute('data-key'));
      const at = places.indexOf(focused < 0 ? indexOf(open) : focused);
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
      const to = places[targetOf(step, at, page, places.length)];
      if (to === undefined) return undefined;
      focus(to);
      const entry = entries[to];
      return entry?.kind === 'row' ? entry.row : undefined;
    },
    focus: (key) => focus(indexOf(key)),
  }));

  // Rows come in above and others move: the row at the top of the view stays there.
  const anchor = useRef<{ readonly key: string; readonly index: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || all) return;
    const known = anchor.current;
    const index = known === undefined || element.scrollTop === 0 ? -1 : indexOf(known.key);
    if (known !== undefined && index >= 0) element.scrollTop += (index - known.index) * rowHeight;
    const keep = () => {
      const from = Math.ceil(element.scrollTop / rowHeight);
      const at = entries.findIndex((entry, to) => to >= from && entry.kind === 'row');
      const entry = entries[at];
      anchor.current = entry?.kind === 'row' ? { key: keyOf(entry.row), index: at } : undefined;
    };
    keep();
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [entries, rowHeight, all]);

  const drawn = virtualizer.getVirtualItems();
  if (all) return { first: 0, last: entries.length };
  return {
    first: Math.min(drawn.at(0)?.index ?? 0, entries.length),
    last: Math.min((drawn.at(-1)?.index ?? -1) + 1, entries.length),
  };
}

/** The index a step leads to in a list of `count`, from `at` (-1 is nowhere) with `page` rows in the view. */
function targetOf(step: Step, at: number, page: number, count: number): number {
  switch (step) {
    case 'first':
      return 0;
    case 'last':
      return count - 1;
    case 'page':
      return Math.min(count - 1, Math.max(0, at) + page);
    case 'pageBack':
      return Math.max(0, at - page);
    default:
      return movedIndex(at, step, count);
  }
}

/** The rows of a list that is not grouped, as `useVirtualRows` takes them. */
export const useEntries = <Row>(rows: readonly Row[]): readonly Entry<Row>[] =>
  useMemo(() => plainEntries(rows), [rows]);
