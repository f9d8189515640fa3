import type { ComponentType } from 'react';
import { loadPart, type Part } from '../core/load-part.tsx';
import type { TabName } from '../core/tabs.ts';
import { OverviewPage } from '../pages/overview/overview-page.tsx';

/** The component of every page. All but the first one of a console load when they are first opened. A new page is one entry here and one in `core/tabs.ts`. */
export const pageComponents: Readonly<Record<TabName, ComponentType | Part<object>>> = {
  overview: OverviewPage,
  forgeStudio: loadPart(async () => (await import('../pages/studio/studio-page.tsx')).StudioPage),
  troubleshoot: loadPart(
    async () => (await import('../pages/troubleshoot/troubleshoot-page.tsx')).TroubleshootPage,
  ),
  ask: loadPart(async () => (await import('../pages/ask/ask-page.tsx')).AskPage),
  workspace: loadPart(async () => (await import('../pages/workspace/workspace-page.tsx')).WorkspacePage),
  controlPlanes: loadPart(
    async () => (await import('../pages/control-planes/control-planes-page.tsx')).ControlPlanesPage,
  ),
  namespaces: loadPart(async () => (await import('../pages/namespaces/namespaces-page.tsx')).NamespacesPage),
  nodes: loadPart(async () => (await import('../pages/nodes/nodes-page.tsx')).NodesPage),
  services: loadPart(async () => (await import('../pages/services/services-page.tsx')).ServicesPage),
  routes: loadPart(async () => (await import('../pages/routes/routes-page.tsx')).RoutesPage),
  logs: loadPart(async () => (await import('../pages/logs/logs-page.tsx')).LogsPage),
  objects: loadPart(async () => (await import('../pages/objects/objects-page.tsx')).ObjectsPage),
  security: loadPart(
    async () => (await import('../pages/certificates/certificates-page.tsx')).CertificatesPage,
  ),
  gitops: loadPart(async () => (await import('../pages/gitops/gitops-page.tsx')).GitopsPage),
  lineage: loadPart(async () => (await import('../pages/lineage/lineage-page.tsx')).LineagePage),
  devex: loadPart(async () => (await import('../pages/devex/devex-page.tsx')).DevexPage),
  doctor: loadPart(async () => (await import('../pages/doctor/doctor-page.tsx')).DoctorPage),
  runs: loadPart(async () => (await import('../pages/runs/runs-page.tsx')).RunsPage),
  reviews: loadPart(async () => (await import('../pages/reviews/reviews-page.tsx')).ReviewsPage),
  agentConfig: loadPart(
    async () => (await import('../pages/agent-config/agent-config-page.tsx')).AgentConfigPage,
  ),
  agents: loadPart(async () => (await import('../pages/roster/roster-page.tsx')).RosterPage),
  schedules: loadPart(async () => (await import('../pages/schedules/schedules-page.tsx')).SchedulesPage),
  inference: loadPart(async () => (await import('../pages/inference/inference-page.tsx')).InferencePage),
  models: loadPart(async () => (await import('../pages/models/models-page.tsx')).ModelsPage),
  finops: loadPart(async () => (await import('../pages/finops/finops-page.tsx')).FinopsPage),
  connections: loadPart(
    async () => (await import('../pages/connections/connections-page.tsx')).ConnectionsPage,
  ),
  forwards: loadPart(async () => (await import('../pages/forwards/forwards-page.tsx')).ForwardsPage),
  runners: loadPart(async () => (await import('../pages/runners/runners-page.tsx')).RunnersPage),
  dataLineage: loadPart(
    async () => (await import('../pages/data-lineage/data-lineage-page.tsx')).DataLineagePage,
  ),
  domains: loadPart(async () => (await import('../pages/domains/domains-page.tsx')).DomainsPage),
  governance: loadPart(async () => (await import('../pages/governance/governance-page.tsx')).GovernancePage),
  harness: loadPart(async () => (await import('../pages/harness/harness-page.tsx')).HarnessPage),
  guardrails: loadPart(async () => (await import('../pages/guardrails/guardrails-page.tsx')).GuardrailsPage),
  measures: loadPart(async () => (await import('../pages/measures/measures-page.tsx')).MeasuresPage),
  compliance: loadPart(async () => (await import('../pages/compliance/compliance-page.tsx')).CompliancePage),
  maturity: loadPart(async () => (await import('../pages/maturity/maturity-page.tsx')).MaturityPage),
  rules: loadPart(async () => (await import('../pages/rules/rules-page.tsx')).RulesPage),
  judgement: loadPart(async () => (await import('../pages/judgement/judgement-page.tsx')).JudgementPage),
  swarm: loadPart(async () => (await import('../pages/swarm/swarm-page.tsx')).SwarmPage),
  playbooks: loadPart(async () => (await import('../pages/playbooks/playbooks-page.tsx')).PlaybooksPage),
  billing: loadPart(async () => (await import('../pages/billing/billing-page.tsx')).BillingPage),
  audit: loadPart(async () => (await import('../pages/audit/audit-page.tsx')).AuditPage),
  access: loadPart(async () => (await import('../pages/access/access-page.tsx')).AccessPage),
  settings: loadPart(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage),
};

/** Loads a page's files ahead of need: whoever points at its entry of the rail is about to open it. */
export function preloadPage(tab: TabName): void {
  const page = pageComponents[tab];
  if ('preload' in page) page.preload();
}
