import { Page } from '../../app/shell/page.tsx';

export function InferencePage() {
  return <Page title="Inference">not built yet</Page>;
}
