import { Page } from '../../app/shell/page.tsx';

export function NamespacesPage() {
  return <Page title="Namespaces">not built yet</Page>;
}
