import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Answer of the issuer instead of its keys; undefined for the keys. */
type KeysAnswer = { readonly status: number; readonly type: string; readonly body: string };

/** An issuer that signs whatever claims it is asked to, for tokens no honest provider gives; its name may end in `/`. */
export async function startAnyIssuer(clientId: string, { slash = false }: { slash?: boolean } = {}) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const stranger = await generateKeyPair('RS256', { extractable: true });
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const keys = [
    { ...(await exportJWK(publicKey)), use: 'sig', alg: 'RS256', kid: 'one' },
    { ...short.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'short' },
  ];
  const wrong: { keys?: KeysAnswer | undefined; issuer?: string | undefined; jwksUri?: string | undefined } =
    {};
  const server = createServer((request, response) => {
    if (request.url === '/keys' && wrong.keys !== undefined) {
      response.writeHead(wrong.keys.status, { 'content-type': wrong.keys.type }).end(wrong.keys.body);
      return;
    }
    const discovery = { issuer: wrong.issuer ?? issuer, jwks_uri: wrong.jwksUri ?? `${address}/keys` };
    const body =
      request.url === '/keys'
        ? { keys }
        : request.url === '/.well-known/openid-configuration'
          ? discovery
          : undefined;
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = slash ? `${address}/` : address;
  const claimsOf = (claims: object) => {
    const at = Math.floor(Date.now() / 1000);
    return {
      iss: issuer,
      aud: clientId,
      sub: '1',
      email: 'mira.koch@example.com',
      email_verified: true,
      jti: randomUUID(),
      iat: at,
      exp: at + 600,
      ...claims,
    };
  };
  return {
    issuer,
    /** Faults in its answers from now on. */
    wrong,
    sign: (claims: object = {}, signer: 'issuer' | 'stranger' = 'issuer'): Promise<string> =>
      new SignJWT(claimsOf(claims))
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(signer === 'issuer' ? privateKey : stranger.privateKey),
    /** Signs with a key of 1024 bits that is in its key set. */
    signShort(): string {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const signed = `${part({ alg: 'RS256', kid: 'short' })}.${part(claimsOf({}))}`;
      return `${signed}.${createSign('RSA-SHA256').update(signed).sign(short.privateKey, 'base64url')}`;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
