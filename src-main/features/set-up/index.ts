import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { parseStudioEndpoint } from '../../config/index.ts';
import { IdTokenError, readSigningKeys } from '../../id-token/index.ts';
import { isSameAddress, type Keys, type LiveSettings } from '../settings/index.ts';
import { type StudioTrial, tryStudio } from '../studio/index.ts';
import type { Targets } from '../targets/index.ts';

type SetUpParts = {
  readonly settings: Pick<LiveSettings, 'valueOf' | 'sourceOf' | 'change'>;
  readonly keys: Pick<Keys, 'value' | 'set' | 'list'>;
  readonly forward: Targets['forward'];
};

const studioAddress = 'STUDIO_UPSTREAM';
const studioKey = 'CONSOLE_STUDIO_IDENTITY_KEY';

/** The guided steps of Settings: each is tested, and kept when the test has passed. */
export function setUpHandlers(parts: SetUpParts): Handlers<Extract<RouteId, `setUp.${string}`>> {
  const { settings, keys } = parts;

  /** Refuses to change what the environment or the running sandbox sets. */
  const refuseFixed = (name: string): void => {
    const source = settings.sourceOf(name);
    if (source === 'env' || source === 'sandbox')
      throw new ConsoleError(
        'Conflict',
        source === 'env'
          ? `${name} is set in the console's environment: change it there and restart the console.`
          : `${name} is the sandbox's while it runs: stop the sandbox first.`,
      );
  };

  return {
    'setUp.studio': async ({ body: { address, key, keep } }, call) => {
      const inUse = settings.valueOf(studioAddress) ?? '';
      const wanted = address ?? inUse;
      const moves = !isSameAddress(wanted, inUse);
      if (moves) refuseFixed(studioAddress);
      if (key !== undefined) await refuseFixedKey(keys);
      const used = key ?? (moves ? undefined : keys.value(studioKey));
      if (used === undefined)
        throw new ConsoleError(
          'BadInput',
          moves
            ? "A stored key is not sent to another address: enter the studio's key with its address."
            : "No key is set: enter the studio's key.",
        );
      call.record(`Tested the studio at ${hostOf(wanted)}.`, { studio: hostOf(wanted), keep });
      const trial = await tried(wanted, used, call, parts.forward);
      if (!trial.ok) throw new ConsoleError('Refused', `Nothing was changed: ${trial.reason}`);
      if (keep) {
        // The key first: it may be refused, and an address without it would lead nowhere.
        if (key !== undefined) await keys.set(studioKey, key, wanted);
        if (moves) await settings.change({ [studioAddress]: wanted });
        call.record(`Connected the studio at ${hostOf(wanted)}.`);
      }
      return { took_ms: trial.tookMs, kept: keep };
    },

    'setUp.signIn': async ({ body: { issuer, client_id, allowed_emails, keep } }, call) => {
      for (const name of [
        'CONSOLE_OIDC_ISSUER',
        'CONSOLE_GOOGLE_CLIENT_ID',
        'CONSOLE_ALLOWED_EMAILS',
        'CONSOLE_OIDC_JWKS_URL',
      ])
        refuseFixed(name);
      call.record(`Tested sign-in with ${hostOf(issuer)}.`, { issuer, client_id, keep });
      const { url, count } = await signingKeys(issuer);
      if (keep) {
        await settings.change({
          CONSOLE_OIDC_ISSUER: issuer,
          CONSOLE_GOOGLE_CLIENT_ID: client_id,
          CONSOLE_ALLOWED_EMAILS: [...new Set(allowed_emails)].join(','),
          CONSOLE_OIDC_JWKS_URL: null,
        });
        call.record(`Set up sign-in with ${hostOf(issuer)} for ${allowed_emails.length}.`);
      }
      return { keys: count, jwks_url: url, kept: keep };
    },
  };
}

async function refuseFixedKey(keys: SetUpParts['keys']): Promise<void> {
  const held = (await keys.list()).find(({ name }) => name === studioKey);
  if (held?.settable === false)
    throw new ConsoleError('Conflict', `${studioKey} cannot be changed here. ${held.why_not ?? ''}`.trim());
}

async function tried(
  address: string,
  key: string,
  { caller }: Call,
  forward: SetUpParts['forward'],
): Promise<StudioTrial> {
  let endpoint: ReturnType<typeof parseStudioEndpoint>;
  try {
    endpoint = parseStudioEndpoint(address);
  } catch (error) {
    throw new ConsoleError('BadInput', error instanceof Error ? error.message : 'The address is not valid.');
  }
  const { url, through } = endpoint;
  const dial = through === undefined ? undefined : () => forward(through);
  return tryStudio({ upstream: url, dial }, key, caller.email ?? '');
}

async function signingKeys(issuer: string): Promise<{ url: string; count: number }> {
  try {
    return await readSigningKeys(issuer);
  } catch (error) {
    if (!(error instanceof IdTokenError)) throw error;
    throw new ConsoleError('Refused', `Nothing was changed: ${error.message}`, {}, { cause: error });
  }
}

/** An address without what may be secret in it. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host || address.slice(0, 200) : 'an address';
}
