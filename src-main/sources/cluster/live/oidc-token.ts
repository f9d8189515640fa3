import { readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { request } from 'undici';
import { z } from 'zod';
import { agentOf, dialThrough } from './connector.ts';
import { ClusterFailure } from './failures.ts';
import { proxyFor } from './proxies.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `config` of the auth provider `oidc` in a kubeconfig. */
export type OidcConfig = Readonly<Record<string, string>>;

export type OidcTokens = { readonly idToken: string; readonly refreshToken: string | undefined };

const metadata = z.object({ token_endpoint: z.url({ protocol: /^https?$/ }) });
const answer = z.object({ id_token: z.string(), refresh_token: z.string().optional() });

/** Epoch milliseconds at which an ID token ends; undefined when it does not say. */
export function expiryOf(idToken: string): number | undefined {
  try {
    const { exp } = decodeJwt(idToken);
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    return undefined;
  }
}

/**
 * A fresh ID token for a refresh token (OpenID Connect Core 1.0, 12). It is kept in memory only: the kubeconfig is not
 * ours to write. Our own, because the library's (client-node 2.0.1) hands openid-client the issuer as a text, which that
 * refuses. Throws a `sign_in` failure.
 */
export async function refreshOidc(
  config: OidcConfig,
  refreshToken: string | undefined,
  env: Environment,
  limit: number,
): Promise<OidcTokens> {
  const { 'idp-issuer-url': issuer, 'client-id': clientId, 'client-secret': clientSecret } = config;
  if (issuer === undefined || clientId === undefined || refreshToken === undefined)
    throw new ClusterFailure(
      'sign_in',
      'The ID token of the kubeconfig has expired and it holds no refresh token: sign in again with your OIDC helper, then retry.',
    );
  const base = URL.parse(issuer);
  const host = base?.host ?? issuer;
  const file = config['idp-certificate-authority'];
  const data = config['idp-certificate-authority-data'];
  try {
    if (base === null) throw new Error('not an address');
    const ca = file ? await readFile(file) : data ? Buffer.from(data, 'base64') : undefined;
    const agent = agentOf(dialThrough({ ca }, proxyFor(base, undefined, env), limit), limit);
    try {
      const send = async (address: string, form?: URLSearchParams): Promise<unknown> => {
        const { statusCode, body } = await request(address, {
          dispatcher: agent,
          signal: AbortSignal.timeout(limit),
          ...(form === undefined
            ? {}
            : {
                method: 'POST',
                headers: { 'content-type': 'application/x-www-form-urlencoded' },
                body: form.toString(),
              }),
        });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`status ${statusCode}`);
        return JSON.parse(text);
      };
      const known = metadata.parse(
        await send(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
      );
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        ...(clientSecret ? { client_secret: clientSecret } : {}),
      });
      const given = answer.parse(await send(known.token_endpoint, form));
      return { idToken: given.id_token, refreshToken: given.refresh_token ?? refreshToken };
    } finally {
      void agent.destroy();
    }
  } catch (error) {
    throw new ClusterFailure(
      'sign_in',
      `${host} gave no new ID token: sign in again with your OIDC helper, then retry.`,
      undefined,
      { cause: error },
    );
  }
}
