import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { IdTokenError } from './id-token-error.ts';

/** Timeout for the issuer, in ms. */
const patience = 5000;
/** Lifetime of the keys, and of where they are, in ms. */
const keptFor = 600_000;
/** Shortest interval between two reads for an unknown key, in ms: made-up key ids must not become a flood. */
const cooldown = 2000;

const httpUrl = z.url({ protocol: /^https?$/ });
const discovery = z.object({ issuer: z.string(), jwks_uri: httpUrl });
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Finds the key that signed a token. Rejects with an `IdTokenError` of the kind `keys` when the issuer's keys cannot be read. */
export type IssuerKeys = JWTVerifyGetKey;

/**
 * Reads an issuer's signing keys from `jwksUrl`, or from where its discovery document says (OpenID Connect Discovery,
 * section 4). Nothing that failed is kept: a corrected address or a server that is back is found by the next token.
 */
export function createIssuerKeys({
  issuer,
  jwksUrl,
}: {
  readonly issuer: string;
  readonly jwksUrl: string | undefined;
}): IssuerKeys {
  type Found = { readonly keys: ReturnType<typeof createRemoteJWKSet>; readonly until: number };
  let finding: Promise<Found> | undefined;

  const find = async (): Promise<Found> => {
    const url = jwksUrl ?? (await discoverKeys(issuer));
    const keys = createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldown,
      cacheMaxAge: keptFor,
      timeoutDuration: patience,
      [customFetch]: (address, options) => readKeys(issuer, address, options.signal),
    });
    return { keys, until: performance.now() + keptFor };
  };

  return async (header, token) => {
    finding ??= find();
    const used = finding;
    const forget = (): void => {
      if (finding === used) finding = undefined;
    };
    try {
      const { keys, until } = await used;
      if (performance.now() > until) forget();
      return await keys(header, token);
    } catch (error) {
      if (error instanceof IdTokenError) forget();
      throw error;
    }
  };
}

/**
 * Reads where an issuer publishes its signing keys, and how many there are. Throws an `IdTokenError` of the kind `keys`
 * with the reason.
 */
export async function readSigningKeys(
  issuer: string,
): Promise<{ readonly url: string; readonly count: number }> {
  const url = await discoverKeys(issuer);
  const set = keySet.safeParse(await readJson(issuer, url, AbortSignal.timeout(patience)));
  if (!set.success) throw unreadable(issuer, set.error);
  if (set.data.keys.length === 0)
    throw new IdTokenError('keys', `${issuer} publishes no signing keys at ${url}.`);
  return { url, count: set.data.keys.length };
}

async function discoverKeys(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = discovery.safeParse(await readJson(issuer, address, AbortSignal.timeout(patience)));
  if (!document.success) throw unreadable(issuer, document.error);
  const named = document.data.issuer;
  // Section 4.3: a document of another issuer names keys of another issuer.
  if (named !== issuer)
    throw new IdTokenError(
      'keys',
      `The signing keys of ${issuer} could not be read: its discovery document is of the issuer ${named.slice(0, 200)}. Write the issuer as that document does.`,
    );
  return document.data.jwks_uri;
}

async function readKeys(issuer: string, address: string, signal: AbortSignal): Promise<Response> {
  const set = keySet.safeParse(await readJson(issuer, address, signal));
  if (!set.success) throw unreadable(issuer, set.error);
  return Response.json(set.data);
}

async function readJson(issuer: string, address: string, signal: AbortSignal): Promise<unknown> {
  try {
    const answer = await fetch(address, { signal, redirect: 'error' });
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
    return await answer.json();
  } catch (error) {
    throw unreadable(issuer, error);
  }
}

function unreadable(issuer: string, cause: unknown): IdTokenError {
  return new IdTokenError('keys', `The signing keys of ${issuer} could not be read: try again in a moment.`, {
    cause,
  });
}
