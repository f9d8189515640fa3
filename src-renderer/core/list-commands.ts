import type { Command } from './commands.tsx';

type ListCommands = {
  /** Puts the caret into what narrows the list; absent where nothing does. */
  readonly filter?: { readonly title?: string; focus(): void };
  readonly move: (step: 1 | -1) => void;
  /** Singular name of a row. */
  readonly of?: string;
};

/** Going through a list by key, the same on every page: `/`, `j` and `k`. They are keys, not entries of the palette. */
export function listCommands({ filter, move, of = 'row' }: ListCommands): readonly Command[] {
  const moving = { group: 'Moving', inPalette: false } as const;
  const moves: readonly Command[] = [
    { ...moving, id: 'next', title: `Next ${of}`, keys: 'j', run: () => move(1) },
    { ...moving, id: 'previous', title: `Previous ${of}`, keys: 'k', run: () => move(-1) },
  ];
  if (filter === undefined) return moves;
  const { title = 'Filter the list', focus } = filter;
  return [{ ...moving, id: 'filter', title, keys: '/', run: focus }, ...moves];
}
