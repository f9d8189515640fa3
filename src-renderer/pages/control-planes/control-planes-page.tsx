import { Page } from '../../app/shell/page.tsx';

export function ControlPlanesPage() {
  return <Page title="Control planes">not built yet</Page>;
}
