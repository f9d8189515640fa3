import { type ComponentType, lazy } from 'react';
import type { TabName } from '../core/tabs.ts';
import { StudioPage } from '../pages/studio/studio-page.tsx';

/** The component of every page, loaded when the page is first opened. A new page is one entry here and one in `core/tabs.ts`. */
export const pageComponents: Readonly<Record<TabName, ComponentType>> = {
  overview: lazy(async () => ({
    default: (await import('../pages/overview/overview-page.tsx')).OverviewPage,
  })),
  forgeStudio: StudioPage,
  troubleshoot: lazy(async () => ({
    default: (await import('../pages/troubleshoot/troubleshoot-page.tsx')).TroubleshootPage,
  })),
  controlPlanes: lazy(async () => ({
    default: (await import('../pages/control-planes/control-planes-page.tsx')).ControlPlanesPage,
  })),
  namespaces: lazy(async () => ({
    default: (await import('../pages/namespaces/namespaces-page.tsx')).NamespacesPage,
  })),
  nodes: lazy(async () => ({ default: (await import('../pages/nodes/nodes-page.tsx')).NodesPage })),
  services: lazy(async () => ({
    default: (await import('../pages/services/services-page.tsx')).ServicesPage,
  })),
  routes: lazy(async () => ({ default: (await import('../pages/routes/routes-page.tsx')).RoutesPage })),
  logs: lazy(async () => ({ default: (await import('../pages/logs/logs-page.tsx')).LogsPage })),
  security: lazy(async () => ({
    default: (await import('../pages/certificates/certificates-page.tsx')).CertificatesPage,
  })),
  gitops: lazy(async () => ({ default: (await import('../pages/gitops/gitops-page.tsx')).GitopsPage })),
  lineage: lazy(async () => ({ default: (await import('../pages/lineage/lineage-page.tsx')).LineagePage })),
  devex: lazy(async () => ({ default: (await import('../pages/devex/devex-page.tsx')).DevexPage })),
  doctor: lazy(async () => ({ default: (await import('../pages/doctor/doctor-page.tsx')).DoctorPage })),
  runs: lazy(async () => ({ default: (await import('../pages/runs/runs-page.tsx')).RunsPage })),
  reviews: lazy(async () => ({ default: (await import('../pages/reviews/reviews-page.tsx')).ReviewsPage })),
  agentConfig: lazy(async () => ({
    default: (await import('../pages/agent-config/agent-config-page.tsx')).AgentConfigPage,
  })),
  agents: lazy(async () => ({ default: (await import('../pages/roster/roster-page.tsx')).RosterPage })),
  schedules: lazy(async () => ({
    default: (await import('../pages/schedules/schedules-page.tsx')).SchedulesPage,
  })),
  inference: lazy(async () => ({
    default: (await import('../pages/inference/inference-page.tsx')).InferencePage,
  })),
  models: lazy(async () => ({ default: (await import('../pages/models/models-page.tsx')).ModelsPage })),
  finops: lazy(async () => ({ default: (await import('../pages/finops/finops-page.tsx')).FinopsPage })),
  audit: lazy(async () => ({ default: (await import('../pages/audit/audit-page.tsx')).AuditPage })),
  access: lazy(async () => ({ default: (await import('../pages/access/access-page.tsx')).AccessPage })),
  settings: lazy(async () => ({
    default: (await import('../pages/settings/settings-page.tsx')).SettingsPage,
  })),
};
