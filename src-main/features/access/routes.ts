import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { Allowlists } from './allowlists.ts';

type AccessRouteId = Extract<RouteId, `access.${string}`>;

/** The routes that show who may do what. */
export function accessHandlers(allowlists: Allowlists): Handlers<AccessRouteId> {
  return {
    'access.list': async (_input, { caller }) => ({ items: await allowlists.describe(caller.email) }),
    'access.sessionAdmins': (_input, { caller }) => allowlists.sessionAdmins(caller),
    'access.setSessionAdmins': async ({ body }, { caller, record }) => {
      const everyName = { ...caller, localOperator: true };
      const { admins: before } = await allowlists.sessionAdmins(everyName);
      record(`Set the session admins: ${body.admins.length} instead of ${before.length}.`, {
        before,
        asked: body.admins,
      });
      await allowlists.setSessionAdmins({
        emails: body.admins,
        revision: body.revision,
        // Two who hold a link name the first admins at once: one of them does.
        onlyFirst: !caller.localOperator && !before.includes(caller.email ?? ''),
        by: caller.email,
      });
      // Who set the list knows it, also when they are no longer on it.
      return allowlists.sessionAdmins(everyName);
    },
  };
}
