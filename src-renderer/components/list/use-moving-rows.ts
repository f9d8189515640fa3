import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { movedIndex } from '../../core/keys.ts';
import type { RowWindow } from '../table/row-window.ts';
import { useRowWindow } from '../table/use-row-window.ts';

/** Moves among rows from outside of them. */
export type RowMoves<Item> = {
  /** Moves the focus by a row and tells the thing it came to. */
  move(step: 1 | -1): Item | undefined;
  /** Gives the focus to a thing's row, when it is there. */
  focus(key: string): void;
};

type MovingRows<Item> = {
  readonly ref: Ref<RowMoves<Item>>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Where moving starts when no row has the focus. */
  readonly open: string | undefined;
  /** Pixels. */
  readonly rowHeight: number;
  /** What of the scroller's view a head covers, in pixels. */
  readonly headHeight: number;
};

/** The rows to draw of a long list whose links carry `data-key`, and the moves among them. */
export function useMovingRows<Item>(rows: MovingRows<Item>): RowWindow {
  const { ref, scroller, items, keyOf, open, rowHeight, headHeight } = rows;
  const wanted = useRef<string>(undefined);
  const window = useRowWindow(scroller, rowHeight, items.length);
  const linkOf = (key: string) =>
    scroller.current?.querySelector<HTMLElement>(`a[data-key="${CSS.escape(key)}"]`);
  const focus = (index: number) => {
    const element = scroller.current;
    const item = items[index];
    if (element === null || item === undefined) return;
    const top = index * rowHeight;
    const view = element.clientHeight - headHeight - rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + view) element.scrollTop = top - view;
    wanted.current = keyOf(item);
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
  const indexOf = (key: string | null | undefined) => items.findIndex((item) => keyOf(item) === key);
  useImperativeHandle(ref, () => ({
    move(step) {
      const at = indexOf(document.activeElement?.getAttribute('data-key'));
      const to = movedIndex(at < 0 ? indexOf(open) : at, step, items.length);
      focus(to);
      return items[to];
    },
    focus: (key) => focus(indexOf(key)),
  }));
  return window;
}
