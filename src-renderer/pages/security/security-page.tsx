import { Page } from '../../app/shell/page.tsx';

export function SecurityPage() {
  return <Page title="Certificates">not built yet</Page>;
}
