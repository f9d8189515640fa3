import { Page } from '../../app/shell/page.tsx';

export function NodesPage() {
  return <Page title="Nodes">not built yet</Page>;
}
