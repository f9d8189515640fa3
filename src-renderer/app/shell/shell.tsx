import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FailureBoundary } from '../../components/failure-boundary.tsx';
import { Page } from '../../components/page/page.tsx';
import { Waiting } from '../../components/skeleton.tsx';
import { useCommands } from '../../core/commands.tsx';
import { loadPart } from '../../core/load-part.tsx';
import { readsCluster, tabs } from '../../core/tabs.ts';
import { useStudioIndex } from '../../pages/studio/studio-index.ts';
import { useNewBuild } from '../failures/new-build.tsx';
import { useOutageNews } from '../failures/outage-news.ts';
import { useFramePlace } from '../frame.ts';
import { useTabTarget } from '../targets/use-tab-target.ts';
import { useKeyBindings } from '../use-key-bindings.ts';
import { useOpenTab } from '../use-open-tab.ts';
import { useAuditShellCommands } from './audit-commands.ts';
import { type Overlay, OverlayLayer } from './overlays.tsx';
import { PageSlot } from './page-slot.tsx';
import { Rail } from './rail.tsx';
import { useRailFold } from './rail-fold.ts';
import css from './shell.module.css';
import { useShellCommands } from './shell-commands.ts';
import { TopBar } from './top-bar.tsx';

const AskPanel = loadPart(async () => (await import('../../pages/ask/ask-panel.tsx')).AskPanel);

/** The frame around every page: rail, top bar, and the layers above them. */
export function Shell() {
  useFramePlace(true);
  const fold = useRailFold();
  const [overlay, setOverlay] = useState<Overlay>();
  // At once, so that the next key is already the search's.
  const openPalette = useCallback(() => flushSync(() => setOverlay('palette')), []);
  const openKeys = useCallback(() => setOverlay('keys'), []);
  const close = useCallback(() => setOverlay(undefined), []);
  const [asking, setAsking] = useState(false);
  const toggleAsk = useCallback(() => setAsking((open) => !open), []);
  const closeAsk = useCallback(() => setAsking(false), []);
  useCommands(useShellCommands({ toggleRail: fold.toggle, openPalette, openKeys, toggleAsk }));
  useCommands(useAuditShellCommands());
  useStudioIndex();
  useKeyBindings();
  useNewBuild();
  useOutageNews();
  const [tab] = useOpenTab();
  const target = useTabTarget();
  // Another target is another page: nothing that was opened or written on the page before belongs to it.
  const pageKey = tab !== undefined && readsCluster(tab) ? `${tab} ${target.id ?? ''}` : tab;
  const page = useRef<HTMLElement>(null);
  return (
    <div className={css.shell} data-folded={fold.folded}>
      <button type="button" className={css.skip} onClick={() => page.current?.focus()}>
        Skip to the page
      </button>
      <FailureBoundary part="The rail">
        <Rail folded={fold.folded} onKeys={openKeys} />
      </FailureBoundary>
      <div className={css.main}>
        <FailureBoundary part="The top bar">
          <TopBar onSearch={openPalette} asking={asking} onAsk={tab === 'ask' ? undefined : toggleAsk} />
        </FailureBoundary>
        <div className={css.beside}>
          <main className={css.page} ref={page} tabIndex={-1}>
            <FailureBoundary
              key={pageKey}
              part="This page"
              frame={inPage(tabs.find((known) => known.tab === tab)?.title ?? 'This page')}
            >
              <Suspense
                fallback={
                  <div className={css.waiting}>
                    <Waiting label="Opening the page" />
                  </div>
                }
              >
                <PageSlot target={target} />
              </Suspense>
            </FailureBoundary>
          </main>
          {asking && tab !== 'ask' && (
            <Suspense>
              <AskPanel onClose={closeAsk} />
            </Suspense>
          )}
        </div>
      </div>
      <OverlayLayer overlay={overlay} onClose={close} />
    </div>
  );
}

/** Where a page stands that has no content to stand in. */
const inPage = (title: string) =>
  function InPage(failure: ReactNode): ReactNode {
    return <Page title={title}>{failure}</Page>;
  };
