import {
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
} from 'react';
import { keyOfFocus } from './use-copied-rows.ts';
import type { Selection } from './use-selection.ts';
import type { RowMoves, Step } from './use-virtual-rows.ts';

type Options<Row> = {
  readonly ref: Ref<RowMoves<Row>> | undefined;
  readonly moves: RefObject<RowMoves<Row> | null>;
  readonly keyOf: (row: Row) => string;
  readonly selection: Selection;
  readonly onMove: ((step: Step) => void) | undefined;
  readonly onOpen: ((key: string) => void) | undefined;
};

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 'page',
  PageUp: 'pageBack',
  Home: 'first',
  End: 'last',
};

/**
 * Moves, opens and selects by key and mouse: arrows move and with Shift select, Space selects, Ctrl+A selects all, Escape
 * none; a click opens, with Shift or Ctrl it selects. Ctrl and a click on the row's own link stay the browser's.
 */
export function useTableInput<Row>(options: Options<Row>) {
  const { ref, moves, keyOf, selection, onMove, onOpen } = options;
  const { select, selectAll, clear } = selection;
  useImperativeHandle(
    ref,
    () => ({
      move: (step) => moves.current?.move(step),
      focus: (key) => moves.current?.focus(key),
    }),
    [moves],
  );

  const onPick = useCallback(
    (key: string, event: MouseEvent) => {
      if (event.button !== 0 || event.altKey) return;
      // A dialog that a row opened stands elsewhere on the page; React still tells the row of its clicks.
      if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
      const onLink = event.target instanceof Element && event.target.closest('a, button') !== null;
      const onOwnLink = keyOfFocus(event.currentTarget) === key && onOpen !== undefined;
      if (onLink && !onOwnLink) return;
      if (event.shiftKey) select(key, 'range');
      else if (event.ctrlKey || event.metaKey) {
        if (onOwnLink) return;
        select(key, 'toggle');
      } else if (onOpen === undefined) {
        // A text that was just marked with the mouse stays marked.
        if (getSelection()?.isCollapsed === false) return;
        select(key, 'only');
      } else {
        clear();
        event.preventDefault();
        onOpen(key);
        return;
      }
      event.preventDefault();
      // The keys of the table are heard from the row.
      moves.current?.focus(key);
    },
    [select, clear, onOpen, moves],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const key = keyOfFocus(event.target);
    if (key === undefined || event.altKey) return;
    const step = steps[event.key];
    const isMod = event.ctrlKey || event.metaKey;
    const done = () => event.preventDefault();
    if (isMod && event.key.toLowerCase() === 'a') {
      done();
      selectAll();
    } else if (isMod) return;
    else if (event.key === ' ') {
      done();
      select(key, event.shiftKey ? 'range' : 'toggle');
    } else if (event.key === 'Escape' && selection.keys.size > 0) {
      done();
      clear();
    } else if (step !== undefined && event.shiftKey) {
      done();
      if (selection.keys.size === 0) select(key, 'only');
      const row = moves.current?.move(step);
      if (row !== undefined) select(keyOf(row), 'range');
    } else if (step !== undefined) {
      done();
      if (onMove === undefined) moves.current?.move(step);
      else onMove(step);
    }
  };
  return { onPick, onKeyDown };
}
