import { Page } from '../../app/shell/page.tsx';

export function PodLogsPage() {
  return <Page title="Logs">not built yet</Page>;
}
