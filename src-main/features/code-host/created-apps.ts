import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { codeHostRoutes } from '#shared/api/code-host.ts';
import type { Call } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { createdFromManifest, webAddressOf } from '../../sources/code-host/index.ts';
import { type AttachParts, keyName, refuseFixed, variableOf } from './attach.ts';
import { neededPermissions } from './attachment.ts';

type Body<Id> = z.output<Extract<(typeof codeHostRoutes)[number], { id: Id; body: z.ZodType }>['body']>;

/** A registration that a person began, and has not come back from yet. */
type Begun = { readonly apiUrl: URL; readonly email: string | undefined; readonly at: number };

/** Time within which the code host honours its code, in ms. */
const goodFor = 60 * 60_000;
/** Registrations that are remembered; the oldest go. */
const mostBegun = 100;

/**
 * Returns the origin of the code host's pages. With an address that cannot be used nothing is handed to anybody, so it is
 * the usual one's.
 */
export function codeHostOrigin({
  settings,
  codeHostSettings,
}: Pick<AttachParts, 'settings' | 'codeHostSettings'>): string {
  try {
    return webAddressOf(codeHostSettings((name) => settings.valueOf(name) || undefined).apiUrl).origin;
  } catch {
    return 'https://github.com';
  }
}

/**
 * Creates the App at the code host from a manifest: the person confirms it there and comes back with a code, which is
 * exchanged for the App's number and key. A registration belongs to who began it: a link from somebody else that leads
 * back here with a code attaches nothing.
 */
export function createdApps({ settings, keys, codeHostSettings, now }: AttachParts) {
  const begun = new Map<string, Begun>();
  const forgetOld = (): void => {
    for (const [state, { at }] of begun)
      if (at < now() - goodFor || begun.size >= mostBegun) begun.delete(state);
  };

  return {
    begin({ organisation, console_url }: Body<'codeHost.appManifest'>, { caller, record }: Call) {
      refuseFixed(settings, variableOf.app_id);
      const { apiUrl } = codeHostSettings((name) => settings.valueOf(name) || undefined);
      record(`Began to create an App in ${organisation}.`, { organisation });
      forgetOld();
      const state = randomBytes(32).toString('base64url');
      begun.set(state, { apiUrl, email: caller.email, at: now() });
      const page = new URL(`/organizations/${organisation}/settings/apps/new`, webAddressOf(apiUrl));
      const link = new URL(page);
      const name = `Operator Console ${organisation}`.slice(0, 34);
      const home = new URL(console_url).origin;
      for (const [field, value] of Object.entries({
        name,
        url: home,
        public: 'false',
        webhook_active: 'false',
      }))
        link.searchParams.set(field, value);
      for (const permission of Object.keys(neededPermissions)) link.searchParams.set(permission, 'read');
      page.searchParams.set('state', state);
      return {
        action: page.href,
        link: link.href,
        // No `hook_attributes`: without them the App has no webhook, and with them the code host wants an address of one.
        manifest: JSON.stringify({
          name,
          url: home,
          redirect_url: `${home}/?tab=settings&section=codeHost`,
          public: false,
          default_permissions: Object.fromEntries(
            Object.keys(neededPermissions).map((permission) => [permission, 'read']),
          ),
        }),
      };
    },

    async finish({ code, state }: Body<'codeHost.createdApp'>, { caller, record, signal }: Call) {
      const registration = begun.get(state);
      if (
        registration === undefined ||
        registration.at < now() - goodFor ||
        registration.email !== caller.email
      )
        throw new ConsoleError(
          'Refused',
          'Nothing was changed: this console does not know the registration, or it is over an hour old. Create the App again; delete the one that was created at the code host.',
        );
      for (const name of [variableOf.app_id, variableOf.installation_id]) refuseFixed(settings, name);
      const created = await createdFromManifest(registration.apiUrl, code, signal);
      if (!created.ok) throw new ConsoleError('Refused', `Nothing was changed: ${created.reason}.`);
      begun.delete(state);
      const { id, slug, url, privateKey } = created.value;
      record(`Created the App ${slug}.`, { app: slug, app_id: id });
      // The key first: it may be refused, and settings without it would lead nowhere.
      await keys.set(keyName, privateKey, registration.apiUrl.href);
      await settings.change({ [variableOf.app_id]: String(id), [variableOf.installation_id]: null });
      return { name: slug, install_url: `${url.replace(/\/$/, '')}/installations/new` };
    },
  };
}
