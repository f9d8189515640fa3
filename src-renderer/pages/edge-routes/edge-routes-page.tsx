import { Page } from '../../app/shell/page.tsx';

export function EdgeRoutesPage() {
  return <Page title="Routes">not built yet</Page>;
}
