import { useCallback, useState } from 'react';
import type { Resize } from './sort-head.tsx';
import type { Arrangement } from './use-arrangement.ts';

type Widths = Readonly<Record<string, number>>;

/** The widths of the columns the person resized, as they are while the mouse moves, and kept when it is done. */
export function useColumnWidths({ widths, change }: Arrangement): {
  readonly widths: Widths;
  readonly resize: Resize;
} {
  const [moving, setMoving] = useState<Widths>();
  const resize = useCallback<Resize>(
    (column, width, done) => {
      const { [column]: _before, ...others } = widths;
      const next = width === undefined ? others : { ...others, [column]: width };
      setMoving(done ? undefined : next);
      if (done) change({ widths: next });
    },
    [widths, change],
  );
  return { widths: moving ?? widths, resize };
}
