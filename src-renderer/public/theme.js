// Runs before the first paint, as its own file because the policy forbids inline scripts: a dark room must not flash, nor
// the rail change its width. What is kept is written by core/color-scheme.ts, app/shell/rail-fold.ts and app/frame.ts.
(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // Storage is refused: the system's theme it is.
      return null;
    }
  };
  const html = document.documentElement;
  const theme = kept('console.theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  html.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  const rail = kept('console.rail');
  const folded = rail === '"folded"' || (rail !== '"open"' && matchMedia('(max-width: 1239px)').matches);
  html.setAttribute('data-rail', folded ? 'folded' : 'open');
  if (kept('console.frame') === 'none') html.setAttribute('data-frame', 'none');
})();
