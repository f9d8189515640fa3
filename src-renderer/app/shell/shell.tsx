import { Suspense, useCallback, useState } from 'react';
import { Waiting } from '../../components/skeleton.tsx';
import { useCommands } from '../../core/commands.tsx';
import { useStudioIndex } from '../../pages/studio/studio-index.ts';
import { useKeyBindings } from '../use-key-bindings.ts';
import { useAuditShellCommands } from './audit-commands.ts';
import { type Overlay, OverlayLayer } from './overlays.tsx';
import { PageSlot } from './page-slot.tsx';
import { Rail } from './rail.tsx';
import { useRailFold } from './rail-fold.ts';
import css from './shell.module.css';
import { useShellCommands } from './shell-commands.ts';
import { TopBar } from './top-bar.tsx';

/** The frame around every page: rail, top bar, and the layers above them. */
export function Shell() {
  const fold = useRailFold();
  const [overlay, setOverlay] = useState<Overlay>();
  const openPalette = useCallback(() => setOverlay('palette'), []);
  const openKeys = useCallback(() => setOverlay('keys'), []);
  const close = useCallback(() => setOverlay(undefined), []);
  useCommands(useShellCommands({ toggleRail: fold.toggle, openPalette, openKeys }));
  useCommands(useAuditShellCommands());
  useStudioIndex();
  useKeyBindings();
  return (
    <div className={css.shell} data-folded={fold.folded}>
      <Rail folded={fold.folded} onKeys={openKeys} />
      <div className={css.main}>
        <TopBar onSearch={openPalette} />
        <main className={css.page}>
          <Suspense
            fallback={
              <div className={css.waiting}>
                <Waiting label="Opening the page" />
              </div>
            }
          >
            <PageSlot />
          </Suspense>
        </main>
      </div>
      <OverlayLayer overlay={overlay} onClose={close} />
    </div>
  );
}
