import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useCallback } from 'react';

/** Below this width names would lose their room, so the rail folds by itself. */
const narrow = '(max-width: 1239px)';

/** Whether the rail shows icons only. The person's own choice wins over the width, and is remembered. */
export function useRailFold(): { readonly folded: boolean; toggle(): void } {
  const isNarrow = useMediaQuery(narrow, window.matchMedia(narrow).matches);
  const [choice, setChoice] = useLocalStorage<'open' | 'folded' | 'auto'>({
    key: 'console.rail',
    defaultValue: 'auto',
    getInitialValueInEffect: false,
  });
  const folded = choice === 'auto' ? isNarrow : choice === 'folded';
  const toggle = useCallback(() => setChoice(folded ? 'open' : 'folded'), [folded, setChoice]);
  return { folded, toggle };
}

const none: readonly string[] = [];

/** The rail's groups that the person closed, remembered on this machine. */
export function useClosedGroups(): { readonly closed: readonly string[]; toggle(group: string): void } {
  const [closed, setClosed] = useLocalStorage<readonly string[]>({
    key: 'console.rail.closed',
    defaultValue: none,
    getInitialValueInEffect: false,
    deserialize: (stored) => {
      const value: unknown = JSON.parse(stored ?? '[]');
      return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : none;
    },
  });
  const toggle = useCallback(
    (group: string) =>
      setClosed((before) =>
        before.includes(group) ? before.filter((name) => name !== group) : [...before, group],
      ),
    [setClosed],
  );
  return { closed, toggle };
}
