import { type RefObject, useCallback, useMemo } from 'react';
import type { PageAddress } from '#shared/page-address.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconLink, IconPlus } from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import { listCommands } from '../../core/list-commands.ts';
import { useHref } from '../../core/page-address.ts';

/** Marks a row that `j` and `k` go to. */
export const rowAttribute = 'data-rail-row';

/** Moves the focus by a row; from outside the list to its open row, or to its near end. */
export function moveInRail(rail: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(rail?.querySelectorAll<HTMLElement>(`[${rowAttribute}]`) ?? [])];
  const focused = rows.indexOf(
    document.activeElement instanceof HTMLElement ? document.activeElement : document.body,
  );
  const open = rows.findIndex((row) => row.hasAttribute('aria-current'));
  rows[focused < 0 && open >= 0 ? open : movedIndex(focused, step, rows.length)]?.focus();
}

type StudioCommands = {
  readonly rail: RefObject<HTMLElement | null>;
  /** The open chat. */
  readonly current: string | undefined;
  /** True when nothing stands between the person and the studio. */
  readonly usable: boolean;
  readonly go: (to: PageAddress) => void;
};

/** Commands and keys of the studio page. */
export function useStudioCommands({ rail, current, usable, go }: StudioCommands): {
  newChat(): void;
  copyAddress(): string;
} {
  const newChat = useCallback(() => go({ tab: 'forgeStudio', chat: 'new' }), [go]);
  const href = useHref();
  // The deep link of a chat, as it can be sent to somebody.
  const copyAddress = useCallback(
    () =>
      `${location.origin}${href({ tab: 'forgeStudio', ...(current !== undefined && { chat: current }) })}`,
    [href, current],
  );
  const commands = useMemo<readonly Command[]>(() => {
    const moves = listCommands({
      filter: { focus: () => rail.current?.querySelector('input')?.focus() },
      move: (step) => moveInRail(rail.current, step),
    });
    if (!usable) return moves;
    return [
      { id: 'new-chat', group: 'Actions', title: 'New chat', keys: 'n', icon: IconPlus, run: newChat },
      {
        id: 'copy-link',
        group: 'Actions',
        title: 'Copy link',
        icon: IconLink,
        run: () => void navigator.clipboard.writeText(copyAddress()),
      },
      ...moves,
    ];
  }, [rail, newChat, copyAddress, usable]);
  useCommands(commands);
  return { newChat, copyAddress };
}
