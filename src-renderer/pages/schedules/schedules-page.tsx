import { Page } from '../../app/shell/page.tsx';

export function SchedulesPage() {
  return <Page title="Schedules">not built yet</Page>;
}
