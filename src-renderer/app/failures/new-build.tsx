import { useEffect, useEffectEvent, useRef } from 'react';
import { anyLayerOpen } from '../../core/any-layer-open.ts';
import { checkBuild, reloadOnce, useAnotherBuild } from '../../core/build.ts';
import { isSilence } from '../../core/failure.ts';
import { usePlatform } from '../../core/use-platform.ts';
import { useOpenTab } from '../use-open-tab.ts';

/** Milliseconds without a key or a movement after which nobody is in the middle of something. */
const quietMs = 60_000;
const lookMs = 5000;

/**
 * Watches for another build of the window: asks when the console answers again after a silence, and when it names
 * another version. Reloads once at a quiet moment; the page's banner offers it before.
 */
export function useNewBuild(): void {
  const platform = usePlatform();
  const silent = isSilence(platform.error);
  const version = platform.data?.version;
  const wasSilent = useRef(false);
  const first = useRef<string>(undefined);
  useEffect(() => {
    if (silent) wasSilent.current = true;
    if (silent || version === undefined) return;
    first.current ??= version;
    // The page itself has just come from the console that names the first version.
    if (wasSilent.current || version !== first.current) void checkBuild();
    wasSilent.current = false;
  }, [silent, version]);

  const another = useAnotherBuild();
  const [tab] = useOpenTab();
  // Text typed into the studio is the studio's: nobody here can tell whether there is any.
  const mayHoldText = useEffectEvent(() => tab === 'forgeStudio' || anyLayerOpen() || holdsText());
  useEffect(() => {
    if (!another) return;
    let used = performance.now();
    const onUse = (): void => {
      used = performance.now();
    };
    const events = ['keydown', 'pointermove', 'pointerdown', 'wheel'] as const;
    for (const name of events) window.addEventListener(name, onUse, { capture: true, passive: true });
    const timer = setInterval(() => {
      const quiet = document.hidden || performance.now() - used > quietMs;
      if (quiet && !mayHoldText()) reloadOnce();
    }, lookMs);
    return () => {
      clearInterval(timer);
      for (const name of events) window.removeEventListener(name, onUse, { capture: true });
    };
  }, [another]);
}

/** True where a field holds something typed that the address does not. */
function holdsText(): boolean {
  return [...document.querySelectorAll('textarea, input')].some(
    (field) =>
      (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) &&
      field.type !== 'search' &&
      field.value !== field.defaultValue,
  );
}
