import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { request } from 'undici';

const redirectUri = 'https://client.example/callback';
const clientSecret = 'a-secret-of-this-test-only';

export type OidcIssuer = {
  readonly issuer: string;
  /** Signs `email` in at the issuer by the authorisation code flow and answers the ID token it gave. */
  idToken(email: string, options?: { clientId?: string }): Promise<string>;
  /** Replaces the signing key, as issuers do from time to time. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
};

/** A real OpenID provider on loopback. `unverified@…` addresses have `email_verified: false`. */
export async function startOidcIssuer(clientIds: readonly string[]): Promise<OidcIssuer> {
  let handler: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((incoming, response) => handler(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const rotateKeys = async (): Promise<void> => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: crypto.randomUUID() };
    handler = providerHandler(issuer, clientIds, key);
  };
  await rotateKeys();

  return {
    issuer,
    rotateKeys,
    async idToken(email, { clientId = clientIds[0] ?? '' } = {}) {
      const jar = new Map<string, string>();
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'openid email',
        redirect_uri: redirectUri,
        login_hint: email,
        // Two tokens of one person in the same second would be the same token.
        nonce: crypto.randomUUID(),
      });
      let url = `${issuer}/auth?${query}`;
      for (let hops = 0; hops < 8 && !url.startsWith(redirectUri); hops += 1) {
        const { headers, body } = await request(url, {
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        await body.dump();
        for (const line of [headers['set-cookie'] ?? []].flat()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          jar.set(name, value);
        }
        url = new URL(String(headers.location), url).href;
      }
      const { body } = await request(`${issuer}/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: new URL(url).searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
        }).toString(),
      });
      const answer = (await body.json()) as { id_token?: string; error_description?: string };
      if (answer.id_token === undefined) throw new Error(`no ID token: ${JSON.stringify(answer)}`);
      return answer.id_token;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function providerHandler(issuer: string, clientIds: readonly string[], key: object): RequestListener {
  const provider = new Provider(issuer, {
    clients: clientIds.map((client_id) => ({
      client_id,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    })),
    jwks: { keys: [key] },
    cookies: { keys: ['a cookie key of this test only'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified@') }),
    }),
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        accountId: context.oidc.session?.accountId ?? '',
        clientId: context.oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  return (incoming, response) => {
    if (incoming.url?.startsWith('/interaction/') !== true) {
      callback(incoming, response);
      return;
    }
    // Whoever the client hints at is signed in: the person at this issuer always agrees.
    void provider
      .interactionDetails(incoming, response)
      .then(({ params }) =>
        provider.interactionFinished(incoming, response, { login: { accountId: String(params.login_hint) } }),
      );
  };
}
