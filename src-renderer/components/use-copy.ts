import { useEffect, useState } from 'react';
import { announce } from '../core/announce.ts';

/** Milliseconds for which "Copied" is shown. */
const saidMs = 1200;

/** Copies a text, asked for only when pressed, and says for a moment how that went. */
export function useCopy(text: () => string): { said: 'Copied' | 'Not copied' | undefined; copy(): void } {
  const [said, setSaid] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
      announce('Copied');
    } catch {
      setSaid('Not copied');
      announce('Not copied: the browser refused');
    }
  };
  return { said, copy: () => void copy() };
}
