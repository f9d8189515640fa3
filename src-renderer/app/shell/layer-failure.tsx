import type { ReactNode } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';

type LayerFailureProps = { readonly onClose: () => void; readonly children: ReactNode };

/** The layer in place of one that failed: Esc closes it as it would have closed that one. */
export function LayerFailure({ onClose, children }: LayerFailureProps) {
  return (
    <Dialog title="Not shown" width={560} onClose={onClose}>
      {children}
    </Dialog>
  );
}
