import { useEffect } from 'react';
import { anyLayerOpen } from '../core/any-layer-open.ts';
import { useCommandsNow } from '../core/commands.tsx';
import { nextKey, pairTimeoutMs } from '../core/keys.ts';

const fields = 'input, textarea, select, [contenteditable="true"]';

/** Runs the commands' keys. Presses inside the studio frame never reach this document, so they stay the studio's. */
export function useKeyBindings(): void {
  const commandsNow = useCommandsNow();
  useEffect(() => {
    let pending: string | undefined;
    let timer = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : undefined;
      const busy = target?.closest(fields) !== null || anyLayerOpen();
      const commands = commandsNow();
      const bindings = commands.flatMap((command) => command.keys ?? []);
      const outcome = nextKey(pending, { ...strokeOf(event), busy }, bindings);
      clearTimeout(timer);
      pending = outcome.pending;
      if (pending !== undefined) timer = window.setTimeout(() => (pending = undefined), pairTimeoutMs);
      if (outcome.hit === undefined) return;
      event.preventDefault();
      commands.find((command) => command.keys === outcome.hit)?.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [commandsNow]);
}

function strokeOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey };
}
