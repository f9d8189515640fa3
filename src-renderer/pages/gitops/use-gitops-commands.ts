import { IconGitMerge } from '@tabler/icons-react';
import { type RefObject, useMemo } from 'react';
import type { Delivery } from '#shared/api/delivery.ts';
import { type Command, useCommands } from '../../app/commands.tsx';
import { deliveryKey } from './delivery-words.ts';

type GitopsCommands = {
  /** Memoised, like the functions. */
  readonly items: readonly Delivery[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly move: (step: 1 | -1) => void;
  readonly show: (key: string) => void;
};

/** Deliveries the palette knows: the gravest. */
const mostDeliveries = 200;

/** What the GitOps page offers by name and key. */
export function useGitopsCommands({ items, input, move, show }: GitopsCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'filter',
        group: 'Moving',
        title: 'Filter the list',
        keys: '/',
        inPalette: false,
        run: () => input.current?.focus(),
      },
      { id: 'next', group: 'Moving', title: 'Next row', keys: 'j', inPalette: false, run: () => move(1) },
      {
        id: 'previous',
        group: 'Moving',
        title: 'Row before',
        keys: 'k',
        inPalette: false,
        run: () => move(-1),
      },
      ...items.slice(0, mostDeliveries).map<Command>((item) => ({
        id: `delivery.${deliveryKey(item)}`,
        group: 'Records',
        title: item.name,
        detail: `delivery of ${item.repo ?? 'the cluster'}, ${item.detail}`,
        icon: IconGitMerge,
        run: () => show(deliveryKey(item)),
      })),
    ],
    [items, input, move, show],
  );
  useCommands(commands);
}
