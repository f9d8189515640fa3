import { Suspense, useEffect, useState } from 'react';
import { useFocusReturn } from '../../components/dialogs/use-focus-return.ts';
import { FailureBoundary } from '../../components/failure-boundary.tsx';
import { loadPart } from '../../core/load-part.tsx';
import { EarlyKeys } from './early-keys.tsx';
import { LayerFailure } from './layer-failure.tsx';

/** A layer above the page. */
export type Overlay = 'palette' | 'keys';

const Palette = loadPart(async () => (await import('../palette/palette.tsx')).Palette);
const KeyList = loadPart(async () => (await import('../palette/key-list.tsx')).KeyList);

/** Milliseconds after the first page in which nothing else wants the network. */
const preloadAfterMs = 1500;

type OverlayLayerProps = { readonly overlay: Overlay | undefined; readonly onClose: () => void };

/** The open layer, if any. Its files are loaded before it is asked for, so that it opens with the console away, too. */
export function OverlayLayer({ overlay, onClose }: OverlayLayerProps) {
  useEffect(() => {
    const timer = setTimeout(() => {
      Palette.preload();
      KeyList.preload();
    }, preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (overlay === undefined) return null;
  return (
    <FailureBoundary
      key={overlay}
      part={overlay === 'palette' ? 'Search' : 'The list of keys'}
      frame={(children) => <LayerFailure onClose={onClose}>{children}</LayerFailure>}
    >
      {overlay === 'palette' ? <Search onClose={onClose} /> : <Keys onClose={onClose} />}
    </FailureBoundary>
  );
}

/** The palette; what is typed before it is there goes into it. */
function Search({ onClose }: { readonly onClose: () => void }) {
  // Its first field goes when the palette is there: the focus came from before both.
  useFocusReturn();
  const [query, setQuery] = useState('');
  const [entered, setEntered] = useState(false);
  useEffect(() => {
    // Between the two fields, and until the palette has the focus, what is typed goes nowhere by itself.
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (([...key].length !== 1 && key !== 'Enter') || ctrlKey || metaKey || altKey) return;
      if (document.activeElement?.matches('[role="dialog"] input') === true) return;
      event.preventDefault();
      if (key === 'Enter') setEntered(true);
      else setQuery((before) => before + key);
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
  return (
    <Suspense
      fallback={
        <EarlyKeys value={query} onChange={setQuery} onEnter={() => setEntered(true)} onClose={onClose} />
      }
    >
      <Palette {...{ query, entered, onClose }} onQuery={setQuery} onEntered={setEntered} />
    </Suspense>
  );
}

function Keys({ onClose }: { readonly onClose: () => void }) {
  return (
    <Suspense>
      <KeyList onClose={onClose} />
    </Suspense>
  );
}
