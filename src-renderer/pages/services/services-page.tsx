import { Page } from '../../app/shell/page.tsx';

export function ServicesPage() {
  return <Page title="Services">not built yet</Page>;
}
