import { Suspense } from 'react';
import { loadPart } from '../../core/load-part.tsx';
import type { PinIconProps } from './pin-icon.tsx';
import type { PinRowsProps } from './pin-rows.tsx';

// Loaded with the first thing that is opened or selected: the first page is drawn without them.

const LoadedIcon = loadPart(async () => (await import('./pin-icon.tsx')).PinIcon);
const LoadedRows = loadPart(async () => (await import('./pin-rows.tsx')).PinRows);

/** Pins the open thing to the person's workspace, or takes the pin off. */
export function PinIcon(props: PinIconProps) {
  return (
    <Suspense fallback={null}>
      <LoadedIcon {...props} />
    </Suspense>
  );
}

/** Pins the selected rows to the person's workspace. */
export function PinRows(props: PinRowsProps) {
  return (
    <Suspense fallback={null}>
      <LoadedRows {...props} />
    </Suspense>
  );
}
