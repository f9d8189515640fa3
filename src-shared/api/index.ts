import { accessRoutes } from './access.ts';
import { agentRoutes } from './agents.ts';
import { auditRoutes } from './audit.ts';
import { clusterRoutes } from './cluster.ts';
import { codeHostRoutes } from './code-host.ts';
import { deliveryRoutes } from './delivery.ts';
import { diagnosticsRoutes } from './diagnostics.ts';
import { eventRoutes } from './events.ts';
import { fleetRoutes } from './fleet.ts';
import { requirementRoutes } from './requirements.ts';
import type { Route } from './route.ts';
import { runRoutes } from './runs.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { studioRoutes } from './studio.ts';
import { systemRoutes } from './system.ts';
import { targetRoutes } from './targets.ts';
import { troubleshootRoutes } from './troubleshoot.ts';

/** Every JSON route of the console. A route that is not here cannot be mounted. */
export const routeTable = [
  ...systemRoutes,
  ...signInRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...studioRoutes,
  ...agentRoutes,
  ...runRoutes,
  ...deliveryRoutes,
  ...codeHostRoutes,
  ...targetRoutes,
  ...clusterRoutes,
  ...fleetRoutes,
  ...troubleshootRoutes,
  ...requirementRoutes,
  ...eventRoutes,
  ...diagnosticsRoutes,
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
