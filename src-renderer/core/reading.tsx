import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

/** Whether pages keep refreshing, and how to refresh now. */
export type Reading = {
  readonly paused: boolean;
  togglePause(): void;
  /** Reads everything on the page again, now. */
  readAgain(): void;
  /** A polling interval in milliseconds, or false while paused. */
  every(milliseconds: number): number | false;
};

const ReadingContext = createContext<Reading | undefined>(undefined);

/** One switch for all polling of the page. */
export function ReadingProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [paused, setPaused] = useState(false);
  const togglePause = useCallback(() => setPaused((before) => !before), []);
  const readAgain = useCallback(() => {
    client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'preferences' });
  }, [client]);
  const reading = useMemo<Reading>(
    () => ({ paused, togglePause, readAgain, every: (milliseconds) => (paused ? false : milliseconds) }),
    [paused, togglePause, readAgain],
  );
  return <ReadingContext value={reading}>{children}</ReadingContext>;
}

/** The page's reading switch; only inside the shell. */
export function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (reading === undefined) throw new Error('useReading is used outside the shell.');
  return reading;
}
