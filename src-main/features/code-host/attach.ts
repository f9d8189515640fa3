import type { z } from 'zod';
import type { codeHostRoutes } from '#shared/api/code-host.ts';
import type { Call } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { CodeHostSettings, Installation, Read } from '../../sources/code-host/index.ts';
import { isSameAddress } from '../settings/index.ts';
import { type AttachmentParts, isOurs } from './attachment.ts';

type Wanted = z.output<Extract<(typeof codeHostRoutes)[number], { id: 'codeHost.attach' }>['body']>;

export type AttachParts = AttachmentParts & {
  /** Checks settings as at startup. Throws an Error with a message for the person. */
  readonly codeHostSettings: (
    lookUp: (name: string) => string | undefined,
  ) => Omit<CodeHostSettings, 'privateKey'>;
  /** Signs in with settings that are not in use yet. */
  readonly tryOut: (settings: CodeHostSettings) => Promise<Read<Installation>>;
};

export const keyName = 'CONSOLE_GITHUB_PRIVATE_KEY';
export const variableOf = {
  app_id: 'CONSOLE_GITHUB_APP_ID',
  installation_id: 'CONSOLE_GITHUB_INSTALLATION_ID',
  api_url: 'CONSOLE_GITHUB_API_URL',
} as const;

/**
 * Attaches the console to an App: what is wanted is tried with the code host first, and kept when it leads to an
 * installation. Nothing is kept otherwise. Throws `Conflict` for what the environment sets, `BadInput` for values that
 * cannot be, `Refused` when the code host does not accept them.
 */
export async function attach(
  { settings, keys, codeHostSettings, tryOut }: AttachParts,
  wanted: Wanted,
  record: Call['record'],
): Promise<void> {
  const changes = Object.entries(variableOf).flatMap(([field, name]) => {
    const value = wanted[field as keyof typeof variableOf];
    return value === undefined ? [] : [[name, value] as const];
  });
  for (const [name] of changes) refuseFixed(settings, name);
  const values = new Map<string, string>(changes);
  const candidate: CodeHostSettings = {
    ...checked(() => codeHostSettings((name) => (values.get(name) ?? settings.valueOf(name)) || undefined)),
    privateKey: wanted.private_key ?? keys.value(keyName),
  };
  refuseOtherAddress(wanted, settings.valueOf(variableOf.api_url), candidate);
  const complete = candidate.appId !== undefined && candidate.privateKey !== undefined;
  if (complete) {
    const found = await tryOut(candidate);
    if (!found.ok) throw new ConsoleError('Refused', `Nothing was changed: ${found.reason}.`);
    record(`Attached to ${found.value.org} as ${found.value.app.slug}.`, {
      organisation: found.value.org,
      app: found.value.app.slug,
      installation: found.value.id,
      changed: [...values.keys(), ...(wanted.private_key === undefined ? [] : [keyName])],
    });
  } else {
    record('Changed how the code host is reached; it is not attached yet.', { changed: [...values.keys()] });
  }
  // The key first: it may be refused, and settings without it would lead nowhere.
  if (wanted.private_key !== undefined) await keys.set(keyName, wanted.private_key, candidate.apiUrl.href);
  if (changes.length > 0)
    await settings.change(
      Object.fromEntries(changes.map(([name, value]) => [name, value === '' ? null : value])),
    );
}

/** Refuses to change what the environment or the running sandbox sets: throws `Conflict`. */
export function refuseFixed(settings: AttachmentParts['settings'], name: string): void {
  if (isOurs(settings, name)) return;
  throw new ConsoleError(
    'Conflict',
    `${name} is set by the ${settings.sourceOf(name) === 'sandbox' ? 'sandbox' : 'environment'} of this console: change it there.`,
  );
}

/** The key in use was given for the address in use: no other one receives what it signs. */
function refuseOtherAddress(
  wanted: Wanted,
  inUse: string | undefined,
  { apiUrl, privateKey }: CodeHostSettings,
): void {
  if (wanted.private_key !== undefined || privateKey === undefined || isSameAddress(apiUrl.href, inUse))
    return;
  throw new ConsoleError(
    'Refused',
    `Nothing was changed: the private key of the App was given for ${inUse ?? 'another address'} and is not sent to ${apiUrl.href}. Give the key again with the new address.`,
  );
}

function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConsoleError(
      'BadInput',
      `Nothing was changed: ${error instanceof Error ? error.message : 'the values cannot be used.'}`,
      {},
      { cause: error },
    );
  }
}
