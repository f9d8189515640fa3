import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { firstTab, isTabName, pageAddress } from '../../core/tabs.ts';
import { useProfileAppearance } from '../../core/use-theme.ts';
import { pageComponents } from '../navigation.ts';
import { useOpenTab } from '../use-open-tab.ts';

/** The page the address names. */
export function PageSlot() {
  useProfileAppearance();
  const [tab] = useOpenTab();
  if (tab === undefined) return null;
  if (isTabName(tab)) {
    const Open = pageComponents[tab];
    return <Open />;
  }
  return (
    <Page title="No such page">
      <FailurePanel
        state="idle"
        label="Not here"
        title="This console has no page of that name"
        actions={<a href={pageAddress(firstTab)}>Open the overview</a>}
      >
        <p>
          The address asks for <code>{tab}</code>. It may come from another version of the console.
        </p>
      </FailurePanel>
    </Page>
  );
}
