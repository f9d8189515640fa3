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
  });
  const folded = choice === 'auto' ? isNarrow : choice === 'folded';
  const toggle = useCallback(() => setChoice(folded ? 'open' : 'folded'), [folded, setChoice]);
  return { folded, toggle };
}
