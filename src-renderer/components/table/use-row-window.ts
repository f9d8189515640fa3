import { type RefObject, useLayoutEffect, useState } from 'react';
import { type RowWindow, rowWindow } from './row-window.ts';

/** The rows to draw in a scroller whose rows all have one height. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  count: number,
): RowWindow {
  const [seen, setSeen] = useState<RowWindow>(() => rowWindow({ scrollTop: 0, height: 0, rowHeight, count }));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      const { scrollTop, clientHeight } = element;
      const next = rowWindow({ scrollTop, height: clientHeight, rowHeight, count });
      setSeen((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, rowHeight, count]);
  return { first: Math.min(seen.first, count), last: Math.min(seen.last, count) };
}
