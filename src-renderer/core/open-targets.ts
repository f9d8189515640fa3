import { useMemo } from 'react';
import { useCommandsNow } from './commands.tsx';

/** Ids of the commands that open the layers of this folder. */
export const pickTargetCommand = 'targets.pick';
export const openBundleCommand = 'targets.bundle';

/** The way to the target picker and to the opening of a bundle, from any page. */
export function useOpenTargets(): { readonly pick: () => void; readonly bundle: () => void } {
  const commandsNow = useCommandsNow();
  return useMemo(() => {
    const run = (id: string) => () =>
      commandsNow()
        .find((command) => command.id === id)
        ?.run();
    return { pick: run(pickTargetCommand), bundle: run(openBundleCommand) };
  }, [commandsNow]);
}
