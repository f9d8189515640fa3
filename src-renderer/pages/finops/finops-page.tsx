import { Page } from '../../app/shell/page.tsx';

export function FinopsPage() {
  return <Page title="FinOps">not built yet</Page>;
}
