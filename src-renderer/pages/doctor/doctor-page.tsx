import { Page } from '../../app/shell/page.tsx';

export function DoctorPage() {
  return <Page title="Doctor">not built yet</Page>;
}
