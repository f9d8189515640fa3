import { Page } from '../../app/shell/page.tsx';

export function OverviewPage() {
  return <Page title="Overview">not built yet</Page>;
}
