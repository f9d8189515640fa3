import { type RefObject, useLayoutEffect, useState } from 'react';

/** A scroller's width for its content and that of its scroll bar, in pixels. */
type ScrollerSize = { readonly view: number; readonly bar: number };

/** The room of a scroller, as it changes; measured before the first paint. */
export function useScrollerSize(scroller: RefObject<HTMLElement | null>): ScrollerSize {
  const [measured, setMeasured] = useState<ScrollerSize>({ view: 0, bar: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const view = element.clientWidth;
      const bar = element.offsetWidth - element.clientWidth;
      setMeasured((before) => (before.view === view && before.bar === bar ? before : { view, bar }));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [scroller]);
  return measured;
}
