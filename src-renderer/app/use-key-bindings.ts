import { useEffect } from 'react';
import { anyLayerOpen } from '../core/any-layer-open.ts';
import { useCommandsNow } from '../core/commands.tsx';
import { nextKey, pairTimeoutMs } from '../core/keys.ts';

const fields = 'input, textarea, select, [contenteditable="true"]';

/**
 * Runs the commands' keys. Presses inside the studio frame are the studio's; of those that it leaves, the ones with
 * Ctrl or Cmd are the shell's, so that search opens from there as well.
 */
export function useKeyBindings(): void {
  const commandsNow = useCommandsNow();
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
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
    const onFrameKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const commands = commandsNow();
      const bindings = commands.flatMap((command) => command.keys ?? []);
      const { hit } = nextKey(undefined, { ...strokeOf(event), busy: true }, bindings);
      if (hit === undefined) return;
      event.preventDefault();
      // The next key is not the frame's any more.
      if (document.activeElement instanceof HTMLIFrameElement) document.activeElement.blur();
      window.focus();
      commands.find((command) => command.keys === hit)?.run();
    };
    window.addEventListener('keydown', onKeyDown, { signal });
    const listenIn = (frame: HTMLIFrameElement) => {
      // Another origin's frame has no document for us.
      if (frame.contentDocument !== null)
        frame.contentWindow?.addEventListener('keydown', onFrameKeyDown, { signal });
    };
    for (const frame of document.querySelectorAll('iframe')) listenIn(frame);
    // A frame's load does not rise, and gives it another window.
    const onLoad = ({ target }: Event) => {
      if (target instanceof HTMLIFrameElement) listenIn(target);
    };
    document.addEventListener('load', onLoad, { capture: true, signal });
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [commandsNow]);
}

function strokeOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return { key, ctrlKey, metaKey, altKey };
}
