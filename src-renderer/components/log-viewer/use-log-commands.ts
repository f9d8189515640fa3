import { useLayoutEffect, useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import {
  IconAlertOctagon,
  IconClock,
  IconCopy,
  IconFold,
  IconSearch,
  IconTextWrap,
} from '../../core/icons/icons.ts';

/** Actions available in an open log. */
export type LogActs = {
  search(): void;
  nextMatch(step: 1 | -1): void;
  nextError(step: 1 | -1): void;
  move(step: 1 | -1): void;
  toggleWrap(): void;
  toggleTimes(): void;
  foldAll(): void;
  copy(): void;
};

/** Offers those acts by name and key. They may be other functions with each drawing: the newest are run. */
export function useLogCommands(acts: LogActs): void {
  const newest = useRef(acts);
  useLayoutEffect(() => {
    newest.current = acts;
  });
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'log.search',
        group: 'Actions',
        title: 'Search the log',
        keys: '/',
        icon: IconSearch,
        run: () => newest.current.search(),
      },
      // As the browser's own search would find only the lines that are drawn.
      {
        id: 'log.find',
        group: 'Moving',
        title: 'Search the log',
        keys: 'mod+f',
        inPalette: false,
        run: () => newest.current.search(),
      },
      byKey('log.next', 'Next match', 'n', () => newest.current.nextMatch(1)),
      byKey('log.previous', 'Previous match', 'N', () => newest.current.nextMatch(-1)),
      {
        id: 'log.error',
        group: 'Actions',
        title: 'Go to the next error in the log',
        keys: 'e',
        icon: IconAlertOctagon,
        run: () => newest.current.nextError(1),
      },
      byKey('log.error-before', 'Previous error', 'E', () => newest.current.nextError(-1)),
      byKey('log.down', 'Next line', 'j', () => newest.current.move(1)),
      byKey('log.up', 'Previous line', 'k', () => newest.current.move(-1)),
      {
        id: 'log.wrap',
        group: 'Actions',
        title: 'Wrap long lines of the log',
        keys: 'w',
        icon: IconTextWrap,
        run: () => newest.current.toggleWrap(),
      },
      {
        id: 'log.times',
        group: 'Actions',
        title: 'Show timestamps',
        keys: 't',
        icon: IconClock,
        run: () => newest.current.toggleTimes(),
      },
      {
        id: 'log.fold',
        group: 'Actions',
        title: 'Fold or unfold the groups of the log',
        keys: 'f',
        icon: IconFold,
        run: () => newest.current.foldAll(),
      },
      {
        id: 'log.copy',
        group: 'Actions',
        title: 'Copy the selected lines',
        keys: 'c',
        icon: IconCopy,
        run: () => newest.current.copy(),
      },
    ],
    [],
  );
  useCommands(commands);
}

const byKey = (id: string, title: string, keys: string, run: () => void): Command => ({
  id,
  group: 'Moving',
  title,
  keys,
  inPalette: false,
  run,
});
