import { useLayoutEffect } from 'react';

const keptAs = 'console.frame';

/**
 * Takes away the frame that `index.html` paints, in the same paint in which something stands in its place. Where nobody
 * was signed in there is none to paint next time, as `public/theme.js` reads.
 */
export function useFramePlace(shell: boolean): void {
  useLayoutEffect(() => {
    document.getElementById('frame')?.remove();
    try {
      if (shell) localStorage.removeItem(keptAs);
      else localStorage.setItem(keptAs, 'none');
    } catch {
      // Storage is refused: the frame is painted every time.
    }
  }, [shell]);
}
