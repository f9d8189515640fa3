/** The key under which the console keeps its theme; the studio is of the same origin and reads it. */
const storageKey = 'console.theme';

/** Makes the page follow the console's theme: its stored choice, else the system's, and every later change of both. */
export function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const choice = storedChoice();
    document.documentElement.dataset.theme = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice;
  };
  apply();
  dark.addEventListener('change', apply);
  // The event comes from the console's window: storage events reach every other document of the origin.
  addEventListener('storage', (event) => {
    if (event.key === storageKey || event.key === null) apply();
  });
}

function storedChoice(): 'system' | 'light' | 'dark' {
  try {
    const value = localStorage.getItem(storageKey)?.replaceAll('"', '');
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    // Storage is switched off in this browser: the system's theme is the best that is known.
    return 'system';
  }
}
