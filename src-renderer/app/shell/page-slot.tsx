import { FailurePanel } from '../../components/failure-panel.tsx';
import { firstTab } from '../../core/tabs.ts';
import { useProfileAppearance } from '../../core/use-theme.ts';
import { pageAddress, pages } from '../navigation.ts';
import { useOpenTab } from '../use-open-tab.ts';
import { Page } from '../../components/page/page.tsx';

/** The page the address names. */
export function PageSlot() {
  useProfileAppearance();
  const [tab] = useOpenTab();
  if (tab === undefined) return null;
  const page = pages.find((candidate) => candidate.tab === tab);
  if (page !== undefined) return <page.component />;
  return (
    <Page title="No such page">
      <FailurePanel
        state="idle"
        word="Not here"
        title="This console has no page of that name"
        actions={<a href={pageAddress(firstTab)}>Open the studio</a>}
      >
        <p>
          The address asks for <code>{tab}</code>. It may come from another version of the console.
        </p>
      </FailurePanel>
    </Page>
  );
}
