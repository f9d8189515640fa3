import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { firstTab, isTabName, readsCluster } from '../../core/tabs.ts';
import { useProfileAppearance } from '../../core/use-theme.ts';
import { pageComponents } from '../navigation.ts';
import { TargetGone } from '../targets/target-gone.tsx';
import type { TabTarget } from '../targets/use-tab-target.ts';
import { useOpenTab } from '../use-open-tab.ts';

/** The page the address names. One that reads a cluster waits until it is known which. */
export function PageSlot({ target }: { readonly target: TabTarget }) {
  useProfileAppearance();
  const [tab] = useOpenTab();
  if (tab === undefined) return null;
  if (isTabName(tab)) {
    if (readsCluster(tab)) {
      if (target.state === 'deciding') return null;
      if (target.state === 'gone') return <TargetGone {...target} />;
    }
    const Open = pageComponents[tab];
    return <Open />;
  }
  return (
    <Page title="No such page">
      <FailurePanel
        state="idle"
        label="Not here"
        title="This console has no page of that name"
        actions={<PageLink to={{ tab: firstTab }}>Open the overview</PageLink>}
      >
        <p>
          The address asks for <code>{tab}</code>. It may come from another version of the console.
        </p>
      </FailurePanel>
    </Page>
  );
}
