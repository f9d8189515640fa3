import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AuthService } from '../../../src-shared/gen/cockpit/v1/auth_pb.js';
import { startAnyIssuer } from '../../support/any-issuer.ts';
import { startTestCampaign } from '../../support/campaign.ts';
import { cockpitClient, cockpitEnv, testCockpit } from '../../support/cockpit.ts';
import { testConsole } from '../../support/test-console.ts';

const client = 'one-client';
const mira = 'mira.koch@example.com';
const karl = 'karl@example.com';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Issuer = Awaited<ReturnType<typeof startAnyIssuer>>;
/** A program that signs people in by an ID token: the HTTP status of the answer, or the one its code stands for. */
type SignIn = (token: string) => Promise<number>;

/** Every program that takes ID tokens. */
const programs: readonly { name: string; start(issuer: Issuer): Promise<SignIn> }[] = [
  {
    name: 'the console',
    async start({ issuer }) {
      const console_ = await testConsole({
        CONSOLE_GOOGLE_CLIENT_ID: client,
        CONSOLE_OIDC_ISSUER: issuer,
        CONSOLE_ALLOWED_EMAILS: `${mira},${karl}`,
      });
      closers.push(() => console_.close());
      return async (credential) => {
        const answer = await fetch(`${console_.url}/auth/google`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ credential }),
        });
        return answer.status;
      };
    },
  },
  {
    name: 'campaign',
    async start({ issuer }) {
      const campaign = await startTestCampaign({
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: client,
        AUTH_ALLOWED_EMAILS: `${mira},${karl}`,
      });
      closers.push(() => campaign.close());
      return async (id_token) => (await campaign.post('/auth/google', { id_token })).status;
    },
  },
  {
    name: 'cockpit',
    async start({ issuer }) {
      const cockpit = await testCockpit(
        cockpitEnv({
          OIDC_ISSUER: issuer,
          OIDC_CLIENT_ID: client,
          AUTH_ALLOWED_EMAILS: `${mira},${karl}`,
        }),
      );
      closers.push(() => cockpit.close());
      const statuses = new Map([
        [Code.Unauthenticated, 401],
        [Code.PermissionDenied, 403],
        [Code.Unavailable, 503],
      ]);
      return (idToken) =>
        cockpitClient(AuthService, cockpit.url)
          .loginWithSso({ idToken })
          .then(
            () => 200,
            (error: unknown) => statuses.get(ConnectError.from(error).code) ?? 500,
          );
    },
  },
];

const issuing = async (options: { slash?: boolean } = {}): Promise<Issuer> => {
  const issuer = await startAnyIssuer(client, options);
  closers.push(() => issuer.close());
  return issuer;
};
const seconds = (): number => Math.floor(Date.now() / 1000);

describe.each(programs)('$name, given an ID token', ({ start }) => {
  it('signs in with it once, whatever signature is written behind it', async () => {
    const issuer = await issuing();
    const signIn = await start(issuer);
    const token = await issuer.sign();
    expect([await signIn(token), await signIn(token)]).toEqual([200, 401]);
    expect(await signIn(await issuer.sign())).toBe(200);
  });

  it('takes one of two uses at the same moment', async () => {
    const issuer = await issuing();
    const signIn = await start(issuer);
    const token = await issuer.sign();
    const statuses = await Promise.all([signIn(token), signIn(token), signIn(token)]);
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
  });

  it('refuses one of the future, of another client, padded, or signed with a key of 1024 bits', async () => {
    const issuer = await issuing();
    const signIn = await start(issuer);
    const at = seconds();
    const refused = {
      'an hour ahead': await issuer.sign({ iat: at + 3600, exp: at + 7200 }),
      'issued to another client': await issuer.sign({ azp: 'another-client' }),
      'for several, issued to another client': await issuer.sign({ aud: [client, 'x'], azp: 'x' }),
      padded: `${await issuer.sign()}==`,
      'a key of 1024 bits': issuer.signShort(),
      'a stranger’s key': await issuer.sign({}, 'stranger'),
    };
    for (const [name, token] of Object.entries(refused))
      expect([name, await signIn(token)]).toEqual([name, 401]);
    expect(await signIn(await issuer.sign({ iat: at + 30, azp: client }))).toBe(200);
  });

  it('takes a look-alike of an allowed address for another one', async () => {
    const issuer = await issuing();
    const signIn = await start(issuer);
    expect(await signIn(await issuer.sign({ sub: '2', email: '\u212Aarl@example.com' }))).toBe(403);
    expect(await signIn(await issuer.sign({ sub: '3', email: 'KARL@Example.com' }))).toBe(200);
    expect(await signIn(await issuer.sign({ sub: '3', email: ' karl@example.com' }))).toBe(401);
  });

  it('knows an issuer whose name ends in a slash', async () => {
    const issuer = await issuing({ slash: true });
    expect(await (await start(issuer))(await issuer.sign())).toBe(200);
  });

  it('does not believe a discovery document of another issuer', async () => {
    const issuer = await issuing();
    issuer.wrong.issuer = 'https://issuer.example';
    const signIn = await start(issuer);
    expect(await signIn(await issuer.sign())).toBe(503);
    issuer.wrong.issuer = undefined;
    expect(await signIn(await issuer.sign())).toBe(200);
  });

  it('says that it cannot check while the keys answer 500 or HTML, and recovers by itself', async () => {
    const issuer = await issuing();
    const signIn = await start(issuer);
    for (const answer of [
      { status: 500, type: 'application/json', body: '{}' },
      { status: 200, type: 'text/html', body: '<h1>Maintenance</h1>' },
      { status: 200, type: 'application/json', body: '{"keys":"none"}' },
      { status: 302, type: 'text/plain', body: '' },
    ]) {
      issuer.wrong.keys = answer;
      expect([answer, await signIn(await issuer.sign())]).toEqual([answer, 503]);
    }
    issuer.wrong.keys = undefined;
    await vi.waitFor(async () => expect(await signIn(await issuer.sign())).toBe(200), { timeout: 5000 });
  });

  it('recovers when the discovery document names the right address of the keys again', async () => {
    const issuer = await issuing();
    issuer.wrong.jwksUri = 'http://127.0.0.1:9/keys';
    const signIn = await start(issuer);
    expect(await signIn(await issuer.sign())).toBe(503);
    issuer.wrong.jwksUri = undefined;
    expect(await signIn(await issuer.sign())).toBe(200);
  });
});
