import { useSyncExternalStore } from 'react';

// A console that was upgraded serves another build of the window: files of the one that runs are gone by then.

const listeners = new Set<() => void>();
let another = false;

/** The script this window began with; its name changes with its content. */
const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src');

/** Asks the console whether it serves another build of the window than this one; false when it does not answer. */
export async function checkBuild(): Promise<boolean> {
  if (another || entry === undefined || entry === null) return another;
  try {
    const answer = await fetch('/', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(5000) });
    const page = answer.ok ? await answer.text() : '';
    another = page.includes('<script type="module"') && !page.includes(`"${entry}"`);
  } catch {
    return false;
  }
  if (another) for (const tell of listeners) tell();
  return another;
}

/** True once the console is known to serve another build. */
export function useAnotherBuild(): boolean {
  return useSyncExternalStore(subscribe, () => another);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const reloadedKey = 'console.reloaded';

/**
 * Reloads the window at its address, once for the build that runs now: where that does not help, the person decides.
 * False when it was already tried.
 */
export function reloadOnce(): boolean {
  if (sessionStorage.getItem(reloadedKey) === entry) return false;
  sessionStorage.setItem(reloadedKey, entry ?? '');
  location.reload();
  return true;
}
