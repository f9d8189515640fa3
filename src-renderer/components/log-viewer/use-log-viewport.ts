import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { LogRows } from './log-rows.ts';
import {
  aboveView,
  type DrawnRows,
  drawnRows,
  geometryOf,
  lineHeight,
  scrollTopFor,
  scrollTopOfRow,
} from './log-viewport.ts';

export type LogViewport = {
  readonly drawn: DrawnRows;
  /** Height of the scroller's content in pixels. */
  readonly height: number;
  /** The row at the top of the view. */
  readonly topRow: number;
  /** True while the end of the rows is in view. */
  readonly isAtEnd: boolean;
  /** Brings a row into view. */
  show(row: number): void;
  /** Brings the end into view, where the view stays while more comes. */
  toEnd(): void;
};

/**
 * The part of a log that is in view. `lines` says that the rows became more; at the end of a log that still comes, the
 * view stays at its end. It begins there when `beginsAtEnd`.
 */
export function useLogViewport(
  scroller: RefObject<HTMLElement | null>,
  rows: LogRows,
  lines: number,
  beginsAtEnd: boolean,
): LogViewport {
  const [seen, setSeen] = useState({ first: 0, last: 0, top: 0, topRow: 0, isAtEnd: beginsAtEnd });
  const atEnd = useRef(beginsAtEnd);
  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, clientHeight } = element;
    const geometry = geometryOf(rows, clientHeight);
    const above = aboveView(geometry, scrollTop);
    // All of a short log is in view, its begin and its end.
    atEnd.current = (above > 0 || beginsAtEnd) && above + clientHeight >= geometry.total - lineHeight;
    const next = {
      ...drawnRows(rows, geometry, scrollTop),
      topRow: rows.rowAt(above / lineHeight),
      isAtEnd: above + clientHeight >= geometry.total - lineHeight,
    };
    setSeen((before) =>
      before.first === next.first &&
      before.last === next.last &&
      before.top === next.top &&
      before.topRow === next.topRow &&
      before.isAtEnd === next.isAtEnd
        ? before
        : next,
    );
  }, [scroller, rows, beginsAtEnd]);
  const scrollTo = useCallback(
    (top: number) => {
      if (scroller.current === null) return;
      scroller.current.scrollTop = top;
      look();
    },
    [scroller, look],
  );

  // `lines` says that the rows became more.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (atEnd.current) element.scrollTop = element.scrollHeight;
    look();
  }, [scroller, look, lines]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(look);
    resized.observe(element);
    const onWheel = (event: WheelEvent) => {
      const geometry = geometryOf(rows, element.clientHeight);
      // Scrolled in proportion, a turn of the wheel would leave out lines.
      if (geometry.total <= geometry.content || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeight : 1;
      scrollTo(
        scrollTopFor(geometry, aboveView(geometry, element.scrollTop) + Math.round(event.deltaY * pixels)),
      );
    };
    element.addEventListener('scroll', look, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
      element.removeEventListener('wheel', onWheel);
    };
  }, [scroller, rows, look, scrollTo]);

  const show = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (element === null) return;
      const geometry = geometryOf(rows, element.clientHeight);
      scrollTo(scrollTopOfRow(rows, geometry, element.scrollTop, row));
    },
    [scroller, rows, scrollTo],
  );
  const toEnd = useCallback(() => {
    if (scroller.current !== null) scrollTo(scroller.current.scrollHeight);
  }, [scroller, scrollTo]);
  const { first, last, top, topRow, isAtEnd } = seen;
  return {
    drawn: { first: Math.min(first, rows.count), last: Math.min(last, rows.count), top },
    height: geometryOf(rows, 0).content,
    topRow: Math.min(topRow, Math.max(0, rows.count - 1)),
    isAtEnd,
    show,
    toEnd,
  };
}
