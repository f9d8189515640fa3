import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { PageAddress } from '#shared/page-address.ts';
import type { Icon } from './icon.ts';

/** Groups of the palette and of the key list, best first. */
export const commandGroups = ['Pages', 'Chats', 'Apps', 'Records', 'Actions', 'Symptoms', 'Moving'] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** One thing a person can do by name or by key. The palette, the keys and the key list are all read from these. */
export type Command = {
  readonly id: string;
  readonly group: CommandGroup;
  readonly title: string;
  /** A few words of difference, such as a chat's app. */
  readonly detail?: string | undefined;
  /** A binding of `keys.ts`. */
  readonly keys?: string;
  readonly icon?: Icon;
  /** False for what only makes sense by key, such as moving in a list. */
  readonly inPalette?: false;
  /** The place it goes to, where it goes to one: that can be opened in a tab of its own. */
  readonly to?: PageAddress;
  /** Words asked before it runs: it changes something. */
  readonly confirm?: string;
  run(): void;
};

type Registry = {
  add(commands: readonly Command[]): () => void;
  subscribe(listener: () => void): () => void;
  all(): readonly Command[];
};

function createRegistry(): Registry {
  const sets = new Set<readonly Command[]>();
  const listeners = new Set<() => void>();
  let all: readonly Command[] = [];
  const changed = () => {
    all = [...sets].flat();
    for (const listener of listeners) listener();
  };
  return {
    add: (commands) => {
      sets.add(commands);
      changed();
      return () => {
        sets.delete(commands);
        changed();
      };
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    all: () => all,
  };
}

const RegistryContext = createContext<Registry | undefined>(undefined);

/** Holds what the shell and the open page offer. */
export function CommandsProvider({ children }: { readonly children: ReactNode }) {
  const [registry] = useState(createRegistry);
  return <RegistryContext value={registry}>{children}</RegistryContext>;
}

function useRegistry(): Registry {
  const registry = useContext(RegistryContext);
  if (registry === undefined) throw new Error('Commands are used outside the shell.');
  return registry;
}

/** Offers commands for as long as the caller is on the page. Give it a memoised list. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useRegistry();
  useEffect(() => registry.add(commands), [registry, commands]);
}

/** Reads the commands on offer at the moment of asking, for who must not render again with every change of them. */
export function useCommandsNow(): () => readonly Command[] {
  return useRegistry().all;
}

/** Every command on offer now, in the order of the groups. */
export function useAllCommands(): readonly Command[] {
  const registry = useRegistry();
  const all = useSyncExternalStore(registry.subscribe, registry.all);
  return useMemo(
    () => [...all].sort((a, b) => commandGroups.indexOf(a.group) - commandGroups.indexOf(b.group)),
    [all],
  );
}
