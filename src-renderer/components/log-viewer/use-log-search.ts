import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Wanted } from './log-bar.tsx';
import type { LogMatches } from './log-matches.ts';
import type { LogSearch } from './log-search.ts';

/** Debounce of typing, in milliseconds. */
const restMs = 150;

export type SearchState = {
  readonly wanted: Wanted;
  readonly setWanted: (wanted: Wanted) => void;
  readonly matches: LogMatches | undefined;
  /** The current match; undefined while there is none. */
  readonly at: number | undefined;
  /** Goes to the next match or the one before; past the end it goes on at the other. */
  readonly next: (step: 1 | -1) => void;
};

/**
 * Searches a log and tracks the matches. The first match at or below the view becomes current by itself. Memoise `show`
 * and `top`.
 */
export function useLogSearch(
  search: LogSearch,
  times: boolean,
  lines: number,
  show: (line: number, column: number) => void,
  top: () => number,
): SearchState {
  const [wanted, setWanted] = useState<Wanted>({ text: '', regex: false, matchCase: false });
  const matches = useSyncExternalStore(search.subscribe, search.matches);
  const [current, setCurrent] = useState<{ at: number; of: LogMatches['query'] }>();
  const at = current !== undefined && current.of === matches?.query ? current.at : undefined;
  useEffect(() => {
    const timer = setTimeout(
      () => search.find(wanted.text === '' ? undefined : { ...wanted, times }),
      wanted.text === '' ? 0 : restMs,
    );
    return () => clearTimeout(timer);
  }, [search, wanted, times]);
  // `lines` says that more came.
  useEffect(() => search.extend(), [search, lines]);

  const goTo = useCallback(
    (found: LogMatches, index: number) => {
      const { line, start } = found.match(index);
      setCurrent({ at: index, of: found.query });
      show(line, start);
    },
    [show],
  );
  useEffect(() => {
    if (matches === undefined || at !== undefined || matches.count === 0) return;
    const first = matches.firstFrom(top());
    // Above the view there may be one, but below it one may still be found.
    if (first < matches.count) goTo(matches, first);
    else if (matches.done) goTo(matches, 0);
  }, [matches, at, goTo, top]);
  const next = useCallback(
    (step: 1 | -1) => {
      if (matches === undefined || matches.count === 0) return;
      const from = at ?? (step === 1 ? -1 : 0);
      goTo(matches, (from + step + matches.count) % matches.count);
    },
    [matches, at, goTo],
  );
  return { wanted, setWanted, matches, at, next };
}
