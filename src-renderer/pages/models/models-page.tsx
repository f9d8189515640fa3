import { Page } from '../../app/shell/page.tsx';

export function ModelsPage() {
  return <Page title="Model cards">not built yet</Page>;
}
