import { useMemo } from 'react';
import { sourceOf, stateOf } from '../../components/targets/target-labels.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import {
  IconDatabase,
  IconPackage,
  IconPlugConnected,
  IconRefresh,
  IconSelector,
} from '../../core/icons/icons.ts';
import { openBundleCommand, pickTargetCommand } from '../../core/open-targets.ts';
import {
  bundleIdOf,
  useChooseTarget,
  useCloseBundle,
  useCurrentTarget,
  useRetryTarget,
  useTargets,
} from '../../core/target-queries.ts';

type Layers = { readonly pick: () => void; readonly bundle: () => void };

/** What can be done with targets and bundles on every page. Memoise the functions. */
export function useTargetCommands({ pick, bundle }: Layers): void {
  const { data } = useTargets();
  const { id, target } = useCurrentTarget();
  const choose = useChooseTarget();
  const { mutate: retry } = useRetryTarget();
  const { mutate: close } = useCloseBundle();
  const items = data?.items;
  const name = target?.name;
  const commands = useMemo<readonly Command[]>(() => {
    const opened = id === undefined ? undefined : bundleIdOf(id);
    return [
      {
        id: pickTargetCommand,
        group: 'Actions',
        title: 'Choose the cluster or bundle to read',
        keys: 'o',
        icon: IconSelector,
        run: pick,
      },
      {
        id: openBundleCommand,
        group: 'Actions',
        title: 'Open a bundle',
        icon: IconPackage,
        run: bundle,
      },
      ...(items ?? [])
        .filter((item) => item.id !== id)
        .map<Command>((item) => ({
          id: `target.${item.id}`,
          group: 'Actions',
          title: `Read ${item.name}`,
          detail: `${sourceOf(item)}, ${stateOf(item).label.toLowerCase()}`,
          icon: item.kind === 'bundle' ? IconPackage : IconDatabase,
          to: { tab: 'overview', target: item.id },
          run: () => choose(item.id),
        })),
      ...(id !== undefined && name !== undefined && opened === undefined
        ? [
            {
              id: 'target.retry',
              group: 'Actions' as const,
              title: `Reconnect to ${name}`,
              icon: IconRefresh,
              run: () => retry(id),
            },
          ]
        : []),
      ...(opened !== undefined && name !== undefined
        ? [
            {
              id: 'bundle.close',
              group: 'Actions' as const,
              title: `Close the bundle ${name}`,
              icon: IconPlugConnected,
              run: () => close(opened),
            },
          ]
        : []),
    ];
  }, [items, id, name, pick, bundle, choose, retry, close]);
  useCommands(commands);
}
