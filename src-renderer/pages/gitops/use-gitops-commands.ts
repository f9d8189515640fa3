import { type RefObject, useMemo } from 'react';
import type { Delivery } from '#shared/api/delivery.ts';
import { IconGitMerge } from '../../components/icons/icons.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { listCommands } from '../../core/list-commands.ts';
import { deliveryKey } from './delivery-labels.ts';

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
      ...listCommands({ filter: { focus: () => input.current?.focus() }, move }),
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
