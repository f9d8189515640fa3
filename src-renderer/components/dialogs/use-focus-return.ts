import { useEffect, useRef } from 'react';

/**
 * Gives the focus back to what had it before this was drawn, once this is gone and nothing else took it. Mantine's own does
 * so for a layer that stays and is closed; ours come and go.
 */
export function useFocusReturn(): void {
  const before = useRef<Element | null>(undefined);
  before.current ??= document.activeElement;
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      // After what closes it has moved the focus itself, if it does.
      setTimeout(() => {
        const { activeElement } = document;
        const opener = before.current;
        if (isHere.current || (activeElement !== null && activeElement !== document.body)) return;
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    };
  }, []);
}
