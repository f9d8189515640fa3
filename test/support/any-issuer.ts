import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An issuer that signs whatever claims it is asked to, for tokens no honest provider gives. */
export async function startAnyIssuer(clientId: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const stranger = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), use: 'sig', alg: 'RS256', kid: 'one' };
  const server = createServer((request, response) => {
    const body = request.url === '/keys' ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = Math.floor(Date.now() / 1000);
  const usual = {
    iss: issuer,
    aud: clientId,
    sub: '1',
    email: 'mira.koch@example.com',
    email_verified: true,
  };
  return {
    issuer,
    sign: (claims: object = {}, signer: 'issuer' | 'stranger' = 'issuer'): Promise<string> =>
      new SignJWT({ ...usual, iat: at, exp: at + 600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(signer === 'issuer' ? privateKey : stranger.privateKey),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
