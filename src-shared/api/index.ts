import { accessRoutes } from './access.ts';
import { actRoutes } from './acts.ts';
import { agentRoutes } from './agents.ts';
import { auditRoutes } from './audit.ts';
import { billingRoutes } from './billing.ts';
import { chatRoutes } from './chat.ts';
import { clusterRoutes } from './cluster-routes.ts';
import { codeHostRoutes } from './code-host.ts';
import { connectionRoutes } from './connections.ts';
import { dataGovernanceRoutes } from './data-governance.ts';
import { dataLineageRoutes } from './data-lineage.ts';
import { deliveryRoutes } from './delivery.ts';
import { diagnosticsRoutes } from './diagnostics.ts';
import { estateRoutes } from './estate.ts';
import { eventRoutes } from './events.ts';
import { fleetRoutes } from './fleet.ts';
import { forwardRoutes } from './forwards.ts';
import { guardrailRoutes } from './guardrails.ts';
import { intelligenceRoutes } from './intelligence.ts';
import { judgementRoutes } from './judgement.ts';
import { kubeconfigRoutes } from './kubeconfigs.ts';
import { objectRoutes } from './objects.ts';
import { playbookRoutes } from './playbooks.ts';
import { providerRoutes } from './providers.ts';
import { requirementRoutes } from './requirements.ts';
import type { Route } from './route.ts';
import { rulesReconRoutes } from './rules-recon.ts';
import { runnerRoutes } from './runners.ts';
import { runRoutes } from './runs.ts';
import { sandboxRoutes } from './sandbox.ts';
import { searchRoutes } from './search.ts';
import { setUpRoutes } from './set-up.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { studioRoutes } from './studio.ts';
import { systemRoutes } from './system.ts';
import { targetRoutes } from './targets.ts';
import { troubleshootRoutes } from './troubleshoot.ts';
import { voiceRoutes } from './voice.ts';
import { workloadLogRoutes } from './workload-logs.ts';

/** Every JSON route of the console. A route that is not here cannot be mounted. */
export const routeTable = [
  ...systemRoutes,
  ...signInRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...setUpRoutes,
  ...sandboxRoutes,
  ...studioRoutes,
  ...agentRoutes,
  ...runRoutes,
  ...deliveryRoutes,
  ...codeHostRoutes,
  ...targetRoutes,
  ...kubeconfigRoutes,
  ...clusterRoutes,
  ...objectRoutes,
  ...forwardRoutes,
  ...fleetRoutes,
  ...troubleshootRoutes,
  ...requirementRoutes,
  ...eventRoutes,
  ...diagnosticsRoutes,
  ...searchRoutes,
  ...connectionRoutes,
  ...runnerRoutes,
  ...providerRoutes,
  ...dataLineageRoutes,
  ...dataGovernanceRoutes,
  ...judgementRoutes,
  ...rulesReconRoutes,
  ...estateRoutes,
  ...guardrailRoutes,
  ...intelligenceRoutes,
  ...actRoutes,
  ...chatRoutes,
  ...billingRoutes,
  ...playbookRoutes,
  ...voiceRoutes,
  ...workloadLogRoutes,
] as const satisfies readonly Route[];

export type RouteId = (typeof routeTable)[number]['id'];
/** By id: a lookup, where picking it out of the union of all routes is too much for the compiler. */
type RouteById = { readonly [R in (typeof routeTable)[number] as R['id']]: R };
export type RouteOf<Id extends RouteId> = RouteById[Id];

/** Routes that existed once and must stay gone (CON-008). */
export const removedRoutes = [
  { method: 'POST', path: '/api/studio' },
  { method: 'POST', path: '/api/studio/change' },
  { method: 'POST', path: '/api/studio/plan' },
] as const;
