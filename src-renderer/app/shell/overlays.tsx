import { lazy, Suspense } from 'react';

/** A layer above the page. */
export type Overlay = 'palette' | 'keys';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const SymptomCommands = lazy(async () => ({
  default: (await import('../../pages/troubleshoot/symptom-commands.tsx')).SymptomCommands,
}));
const KeyList = lazy(async () => ({ default: (await import('../palette/key-list.tsx')).KeyList }));

/** The open layer, if any; loaded when first asked for. */
export function OverlayLayer({
  overlay,
  onClose,
}: {
  readonly overlay: Overlay | undefined;
  readonly onClose: () => void;
}) {
  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={onClose} />}
      {overlay === 'palette' && (
        // The palette does not wait for it.
        <Suspense>
          <SymptomCommands />
        </Suspense>
      )}
      {overlay === 'keys' && <KeyList onClose={onClose} />}
    </Suspense>
  );
}
