import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** How a row joins the selection: alone, added or taken out, or with all rows from the last one selected. */
export type SelectionStep = 'only' | 'toggle' | 'range';

/** The selected rows of a table. */
export type Selection = {
  readonly keys: ReadonlySet<string>;
  select(key: string, step: SelectionStep): void;
  selectAll(): void;
  clear(): void;
};

type Selected = { readonly keys: ReadonlySet<string>; readonly anchor: string | undefined };

const nothing: Selected = { keys: new Set(), anchor: undefined };

/** Selects rows by their keys, which come in the order they are shown. Rows that are gone are not selected. */
export function useSelection(order: readonly string[]): Selection {
  const [selected, setSelected] = useState(nothing);
  const latest = useRef(order);
  useLayoutEffect(() => {
    latest.current = order;
  }, [order]);
  const select = useCallback((key: string, step: SelectionStep) => {
    setSelected((before) => {
      if (step === 'only') return { keys: new Set([key]), anchor: key };
      if (step === 'range')
        return { keys: rangeOf(latest.current, before.anchor ?? key, key), anchor: before.anchor ?? key };
      const keys = new Set(before.keys);
      if (!keys.delete(key)) keys.add(key);
      return { keys, anchor: key };
    });
  }, []);
  const clear = useCallback(() => setSelected((before) => (before === nothing ? before : nothing)), []);
  const selectAll = useCallback(
    () => setSelected({ keys: new Set(latest.current), anchor: latest.current[0] }),
    [],
  );
  const keys = useMemo(
    () => (selected.keys.size === 0 ? selected.keys : new Set(order.filter((key) => selected.keys.has(key)))),
    [selected, order],
  );
  return { keys, select, selectAll, clear };
}

function rangeOf(order: readonly string[], from: string, to: string): ReadonlySet<string> {
  const [start, end] = [order.indexOf(from), order.indexOf(to)].sort((a, b) => a - b);
  if (start === undefined || end === undefined || start < 0) return new Set([to]);
  return new Set(order.slice(start, end + 1));
}
