import { useCallback, useState } from 'react';
import { BundleDialog } from './bundle-dialog.tsx';
import { takesPaths } from './bundle-source.ts';
import { DropOnWindow } from './drop-on-window.tsx';
import { TargetPicker } from './target-picker.tsx';
import { useBundleOpening } from './use-bundle-opening.ts';
import { useTargetChanges } from './use-target-changes.ts';
import { useTargetCommands } from './use-target-commands.ts';

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
      {layer === 'bundle' && <BundleDialog bundle={bundle} onClose={close} />}
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
