// Runs before the first paint, as its own file because the policy forbids inline scripts: a dark room must not flash.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('console.theme');
  } catch {
    // Storage is refused: the system's theme it is.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
