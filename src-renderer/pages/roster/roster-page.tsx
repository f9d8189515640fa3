import { Page } from '../../app/shell/page.tsx';

export function RosterPage() {
  return <Page title="Roster">not built yet</Page>;
}
