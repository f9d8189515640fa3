import { Suspense, useCallback, useState } from 'react';
import { FailureBoundary } from '../../components/failure-boundary.tsx';
import { loadPart } from '../../core/load-part.tsx';
import { takesPaths } from '../../core/takes-paths.ts';
import { LayerFailure } from '../shell/layer-failure.tsx';
import { DropOnWindow } from './drop-on-window.tsx';
import { TargetPicker } from './target-picker.tsx';
import { useBundleOpening } from './use-bundle-opening.ts';
import { useTargetChanges } from './use-target-changes.ts';
import { useTargetCommands } from './use-target-commands.ts';

const BundleDialog = loadPart(async () => (await import('./bundle-dialog.tsx')).BundleDialog);

const folderMessage = `It is a folder: pack it into one .tar.gz file${takesPaths ? ', or give its path below' : ''}.`;

type Layer = 'picker' | 'bundle';

/** The target in the top bar, with everything that opens from it. There is one of it. */
export function TargetLayers() {
  const [layer, setLayer] = useState<Layer>();
  const close = useCallback(() => setLayer(undefined), []);
  const pick = useCallback(() => setLayer('picker'), []);
  const openBundle = useCallback(() => setLayer('bundle'), []);
  const bundle = useBundleOpening({ onOpen: close, onFailed: openBundle });
  useTargetChanges();
  useTargetCommands({ pick, bundle: openBundle });
  return (
    <>
      <TargetPicker
        opened={layer === 'picker'}
        onOpened={(opened) => setLayer(opened ? 'picker' : undefined)}
        onBundle={openBundle}
      />
      {layer === 'bundle' && (
        <FailureBoundary
          part="Opening a bundle"
          frame={(failure) => <LayerFailure onClose={close}>{failure}</LayerFailure>}
        >
          <Suspense>
            <BundleDialog bundle={bundle} onClose={close} />
          </Suspense>
        </FailureBoundary>
      )}
      <DropOnWindow
        onFile={(file) => {
          openBundle();
          bundle.open({ file });
        }}
        onFolder={(name) => {
          openBundle();
          bundle.refuse(name, folderMessage);
        }}
      />
    </>
  );
}
