import { type RefObject, useCallback, useMemo, useRef } from 'react';
import { pageHref } from '#shared/page-address.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { listCommands } from '../../core/list-commands.ts';
import { usePageAddress } from '../../core/page-address.ts';
import {
  changed,
  filterOf,
  type Listed,
  type ListFilter,
  listAddress,
  narrowed,
  shownState,
} from './listed.ts';
import type { RowMoves } from './use-moving-rows.ts';

/** A list as its page handles it: what is narrowed to, what is open, and the ways to change both. */
export type StateList<Item> = {
  readonly listed: Listed<Item>;
  /** Everything that was read, and what of it is narrowed to. */
  readonly all: readonly Item[];
  readonly items: readonly Item[];
  readonly filter: ListFilter;
  /** The key of the open one, and the one itself where it was read. */
  readonly open: string | undefined;
  readonly opened: Item | undefined;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly rows: RefObject<RowMoves<Item> | null>;
  addressOf(key: string): string;
  /** The address with parts of the filter changed. */
  addressWith(change: Parameters<typeof changed>[1]): string;
  show(key: string): void;
  close(): void;
  narrow(change: Parameters<typeof changed>[1], history?: 'push' | 'replace'): void;
};

/** Things the palette knows: the worst. */
const mostInPalette = 200;

/**
 * A page's list, worst first, all of it in the address; with `/`, `j`, `k` and its things in the palette. `Listed` is a
 * constant of the page. With `keepsOpen` one is always open and moving opens the next, as beside a reading.
 */
export function useStateList<Item>(
  listed: Listed<Item>,
  all: readonly Item[],
  keepsOpen = false,
): StateList<Item> {
  const [address, go] = usePageAddress();
  const target = useClusterTarget();
  const { q, namespace, state } = address;
  const filter = useMemo(() => filterOf({ q, namespace, state }), [q, namespace, state]);
  const items = useMemo(() => narrowed(listed, all, filter), [listed, all, filter]);
  const input = useRef<HTMLInputElement>(null);
  const rows = useRef<RowMoves<Item>>(null);
  const first = items[0];
  const open = address.record ?? (keepsOpen && first !== undefined ? listed.key(first) : undefined);
  const beside = open !== undefined;

  const indexOf = useCallback(
    (narrowing: ListFilter, record?: string) =>
      listAddress({ tab: listed.tab, filter: narrowing, target, record }),
    [listed, target],
  );
  const show = useCallback(
    (key: string) => go(indexOf(filter, key), beside ? 'replace' : 'push'),
    [go, indexOf, filter, beside],
  );
  const move = useCallback(
    (step: 1 | -1) => {
      const item = rows.current?.move(step);
      if (item !== undefined && beside) show(listed.key(item));
    },
    [listed, show, beside],
  );
  const commands = useMemo<readonly Command[]>(
    () => [
      ...listCommands({ filter: { focus: () => input.current?.focus() }, move }),
      ...items.slice(0, mostInPalette).map<Command>((item) => ({
        id: `${listed.tab}.${listed.key(item)}`,
        group: 'Records',
        title: listed.title(item),
        detail: [
          listed.one,
          listed.namespace(item),
          shownState(listed, listed.state(item)).label.toLowerCase(),
        ]
          .filter((part) => part !== undefined)
          .join(', '),
        icon: listed.icon,
        run: () => show(listed.key(item)),
      })),
    ],
    [listed, items, move, show],
  );
  useCommands(commands);

  return {
    listed,
    all,
    items,
    filter,
    open,
    opened: all.find((item) => listed.key(item) === open),
    input,
    rows,
    addressOf: (key) => pageHref(indexOf(filter, key)),
    addressWith: (change) => pageHref(indexOf(changed(filter, change))),
    show,
    close: () => {
      go(indexOf(filter));
      if (open !== undefined) rows.current?.focus(open);
    },
    narrow: (change, history = 'push') =>
      go(indexOf(changed(filter, change), address.record ?? undefined), history),
  };
}
