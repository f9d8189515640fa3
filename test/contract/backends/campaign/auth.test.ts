import { fromJson, toJson } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { Pool } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { LoginResponseSchema } from '../../../../src-shared/gen/campaign/v1/auth_pb.js';
import { startAnyIssuer } from '../../../support/any-issuer.ts';
import {
  campaignClientId,
  campaignClients,
  codeOf,
  sessionJson,
  startCampaignIssuer,
  startTestCampaign,
  type TestCampaign,
} from '../../../support/campaign.ts';
import { signInBodies } from '../../../support/campaign-noise.ts';
import { requestCountText, sweepRequests } from '../../../support/sweeps.ts';

const mira = 'mira.koch@example.com';
const jon = 'jon@example.com';
const issuer = startCampaignIssuer();
afterAll(async () => (await issuer).close());

const admin = { ADMIN_EMAIL: 'Admin@Example.com', ADMIN_PASSWORD: 'correct horse battery' };

const running: TestCampaign[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
});
async function start(env: Readonly<Record<string, string>> = {}): Promise<TestCampaign> {
  const campaign = await startTestCampaign(env, await issuer);
  running.push(campaign);
  return campaign;
}

describe('sign-in with an ID token (BCK-021)', () => {
  let campaign: TestCampaign;
  beforeAll(async () => {
    campaign = await startTestCampaign(admin, await issuer);
  });
  afterAll(() => campaign.close());

  it('answers a session in the JSON of campaign.v1.AuthService/Login (BCK-010)', async () => {
    const answer = await campaign.post('/auth/google', {
      id_token: await campaign.issuer.idToken(mira),
    });
    expect(answer.status).toBe(200);
    const json: unknown = await answer.json();
    const { session } = sessionJson.parse(json);
    expect(session.user).toMatchObject({ email: mira, name: mira });
    const login = await campaignClients(campaign.url).auth.login({
      email: admin.ADMIN_EMAIL,
      password: admin.ADMIN_PASSWORD,
    });
    sessionJson.parse(toJson(LoginResponseSchema, login));
    expect(fromJson(LoginResponseSchema, sessionJson.parse(json)).session?.accessToken).toBe(
      session.accessToken,
    );
  });

  it('is the same as LoginWithGoogle, and knows the person again', async () => {
    const first = await campaign.signIn(mira);
    const { session } = await campaignClients(campaign.url).auth.loginWithGoogle({
      idToken: await campaign.issuer.idToken(mira),
    });
    expect(session?.user?.id).toBe(first.user.id);
    expect((await campaign.signIn(jon)).user.id).not.toBe(first.user.id);
    const { user } = await campaignClients(campaign.url, session?.accessToken).auth.whoAmI({});
    expect(user).toMatchObject({ id: first.user.id, email: mira });
  });

  it.each([
    [
      'another client',
      async () => campaign.issuer.idToken(mira, { clientId: 'another-client' }),
      401,
      '"aud"',
    ],
    [
      'an address that is not verified',
      async () => campaign.issuer.idToken('unverified@example.com'),
      401,
      'no verified email',
    ],
    ['nothing', async () => '', 400, 'The ID token is missing.'],
    ['what is no token', async () => 'mira', 401, 'no signed JWT'],
    [
      'a changed token',
      async () => `${await campaign.issuer.idToken(mira)}x`,
      401,
      'signature does not hold',
    ],
    ['a token too long', async () => 'x'.repeat(17_000), 400, 'longer than 16384 characters'],
  ])('refuses a token of %s', async (_, token, status, words) => {
    const answer = await campaign.post('/auth/google', { id_token: await token() });
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.stringContaining(words) }]);
  });

  it('takes a token signed with a key the issuer began to use meanwhile', async () => {
    await campaign.issuer.rotateKeys();
    await vi.waitFor(
      async () => {
        const answer = await campaign.post('/auth/google', {
          id_token: await campaign.issuer.idToken(mira),
        });
        expect(answer.status).toBe(200);
      },
      { timeout: 15_000, interval: 500 },
    );
  });

  it('gives its own pages the session as a cookie that scripts and other sites cannot use', async () => {
    const answer = await campaign.post('/auth/google', {
      id_token: await campaign.issuer.idToken(mira),
    });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^campaign_session=[^;]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Strict$/);
    const read = (headers: Record<string, string>): Promise<number> =>
      fetch(`${campaign.url}/media/none.png`, {
        headers: { cookie: cookie.split(';', 1)[0] ?? '', ...headers },
      }).then(({ status }) => status);
    // 404 is the answer to whoever is signed in, 401 the one to whoever is not.
    expect(await read({})).toBe(404);
    expect(await read({ 'sec-fetch-site': 'same-origin' })).toBe(404);
    expect(await read({ 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await read({ 'sec-fetch-site': 'same-site' })).toBe(401);
    const elsewhere = await campaign.post(
      '/auth/google',
      { id_token: await campaign.issuer.idToken(mira) },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect([elsewhere.status, elsewhere.headers.getSetCookie()]).toEqual([200, []]);
  });
});

describe('what an ID token has to say', () => {
  let any: Awaited<ReturnType<typeof startAnyIssuer>>;
  let campaign: TestCampaign;
  beforeAll(async () => {
    any = await startAnyIssuer(campaignClientId);
    campaign = await startTestCampaign({ OIDC_ISSUER: any.issuer }, await issuer);
  });
  afterAll(async () => {
    await campaign.close();
    await any.close();
  });
  const at = Math.floor(Date.now() / 1000);

  it.each([
    ['of another issuer', { iss: 'https://issuer.example' }, '"iss" is not the one'],
    ['that has expired', { iat: at - 900, exp: at - 300 }, 'has expired'],
    ['that never expires', { exp: undefined }, '"exp" is not the one'],
    ['without a subject', { sub: undefined }, '"sub" is not the one'],
    [
      'for several clients and another presenter',
      { aud: [campaignClientId, 'x'], azp: 'x' },
      'several clients',
    ],
    ['without an address', { email: undefined }, 'no verified email'],
    ['whose address is a list', { email: [mira] }, 'no verified email'],
    ['that says verified in words', { email_verified: 'true' }, 'no verified email'],
  ])('refuses a token %s', async (_, claims, words) => {
    const answer = await campaign.post('/auth/google', { id_token: await any.sign(claims) });
    expect([answer.status, await answer.json()]).toEqual([401, { error: expect.stringContaining(words) }]);
  });

  it('refuses a token signed with a key that is not the issuer’s', async () => {
    const answer = await campaign.post('/auth/google', { id_token: await any.sign({}, 'stranger') });
    expect(answer.status).toBe(401);
  });

  it('knows a person by issuer and subject: an address given to somebody else opens nothing', async () => {
    const signIn = async (claims: object): Promise<Response> =>
      campaign.post('/auth/google', { id_token: await any.sign(claims) });
    const first = sessionJson.parse(await (await signIn({ sub: '7', email: jon })).json());
    const again = sessionJson.parse(await (await signIn({ sub: '7', email: jon, name: 'Jon' })).json());
    expect(again.session.user).toEqual({ id: first.session.user.id, email: jon, name: 'Jon' });
    const other = await signIn({ sub: '8', email: jon });
    expect([other.status, await other.json()]).toEqual([
      403,
      { error: expect.stringContaining('belongs to another account') },
    ]);
  });

  it('shows the address the issuer names now, unless it is somebody else’s here', async () => {
    const userOf = async (claims: object) =>
      sessionJson.parse(
        await (await campaign.post('/auth/google', { id_token: await any.sign(claims) })).json(),
      ).session.user;
    const first = await userOf({ sub: '20', email: 'before@example.com' });
    const moved = await userOf({ sub: '20', email: 'After@Example.com' });
    expect([moved.id, moved.email]).toEqual([first.id, 'after@example.com']);
    const other = await userOf({ sub: '21', email: 'other@example.com' });
    const stays = await userOf({ sub: '20', email: 'other@example.com' });
    expect([stays.id, stays.email]).toEqual([first.id, 'after@example.com']);
    expect(other.id).not.toBe(first.id);
  });

  it('answers 503 in words while the issuer’s keys cannot be read, and says so in the log', async () => {
    const gone = await startAnyIssuer(campaignClientId);
    const own = await start({ OIDC_ISSUER: gone.issuer });
    const token = await gone.sign();
    await gone.close();
    const answer = await own.post('/auth/google', { id_token: token });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: `The signing keys of ${gone.issuer} could not be read: try again in a moment.` },
    ]);
    expect(own.log.map(({ message }) => message)).toContain(
      'the keys of the identity provider cannot be read',
    );
  });
});

describe('who may sign in', () => {
  it('answers 403 while no client id is set: OIDC not configured', async () => {
    const campaign = await start({ OIDC_ISSUER: '', OIDC_CLIENT_ID: '' });
    const answer = await campaign.post('/auth/google', { id_token: 'a.b.c' });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: expect.stringMatching(/^OIDC not configured/) },
    ]);
  });

  it('is whom AUTH_ALLOWED_EMAILS names, when it is set, and nobody when it names nobody', async () => {
    const some = await start({ AUTH_ALLOWED_EMAILS: `Someone@example.com, ${mira.toUpperCase()}` });
    expect((await some.signIn(mira)).user.email).toBe(mira);
    const refused = await some.post('/auth/google', { id_token: await some.issuer.idToken(jon) });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: 'This account is not authorized for this instance.' },
    ]);
    const nobody = await start({ AUTH_ALLOWED_EMAILS: '' });
    const all = await nobody.post('/auth/google', { id_token: await nobody.issuer.idToken(mira) });
    expect(all.status).toBe(403);
  });
});

describe('sign-in with a password', () => {
  const login = (campaign: TestCampaign, email: string, password: string): Promise<string> =>
    codeOf(campaignClients(campaign.url).auth.login({ email, password }));

  it('takes the seeded person and refuses everything else alike', async () => {
    const campaign = await start(admin);
    expect(await login(campaign, ' admin@example.COM ', admin.ADMIN_PASSWORD)).toBe('answered');
    const said = async (email: string, password: string): Promise<string> =>
      campaignClients(campaign.url)
        .auth.login({ email, password })
        .then(
          () => 'answered',
          (error: unknown) => ConnectError.from(error).rawMessage,
        );
    const wrong = 'The address or the password is wrong.';
    expect(await said(admin.ADMIN_EMAIL, 'correct horse batterY')).toBe(wrong);
    expect(await said(mira, admin.ADMIN_PASSWORD)).toBe(wrong);
    expect(await said('no address', '')).toBe(wrong);
    expect(await said('a\0b@example.com', 'x')).toBe(wrong);
    expect(await login(campaign, admin.ADMIN_EMAIL, 'x'.repeat(2000))).toBe('InvalidArgument');
  });

  it('is off without ADMIN_EMAIL: FAILED_PRECONDITION, and /auth/config says so', async () => {
    const campaign = await start();
    expect(await login(campaign, mira, 'x')).toBe('FailedPrecondition');
    expect(await (await fetch(`${campaign.url}/auth/config`)).json()).toEqual({
      google_client_id: campaignClientId,
      password_auth: false,
    });
  });

  it('takes five tries a minute, then waits, and takes the right one again after the minute', async () => {
    const campaign = await start(admin);
    for (let tries = 0; tries < 5; tries += 1)
      expect(await login(campaign, admin.ADMIN_EMAIL, `wrong ${tries}`)).toBe('Unauthenticated');
    expect(await login(campaign, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD)).toBe('ResourceExhausted');
    campaign.advance(60_000);
    expect(await login(campaign, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD)).toBe('answered');
  });

  it('checks so many passwords at a time and turns the others away, whoever asks', async () => {
    const campaign = await start(admin);
    const { auth } = campaignClients(campaign.url);
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        codeOf(auth.login({ email: `somebody-${at}@example.com`, password: 'x' })),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(['Unauthenticated', 'ResourceExhausted']));
    expect(await login(campaign, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD)).toBe('answered');
  });

  it('is the same person as the identity provider signs in under that address', async () => {
    const campaign = await start(admin);
    const { session } = await campaignClients(campaign.url).auth.login({
      email: admin.ADMIN_EMAIL,
      password: admin.ADMIN_PASSWORD,
    });
    expect((await campaign.signIn('admin@example.com')).user.id).toBe(session?.user?.id);
  });
});

describe(`${requestCountText} bodies of the sign-in routes nobody means`, () => {
  let campaign: TestCampaign;
  beforeAll(async () => {
    campaign = await startTestCampaign({}, await issuer);
  });
  afterAll(() => campaign.close());

  const sentence = z.strictObject({ error: z.string().regex(/\.$/) });
  it.each(['/auth/google', '/auth/refresh'])(
    'are each refused with 4xx in words by %s, and the backend goes on',
    async (path) => {
      const seen = new Set<number>();
      const pool = new Pool(campaign.url, { connections: 8 });
      await sweepRequests(signInBodies, async (bytes) => {
        const answer = await pool.request({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body: bytes,
        });
        sentence.parse(await answer.body.json());
        seen.add(answer.statusCode);
        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
        expect(answer.statusCode).toBeLessThan(500);
      });
      await pool.close();
      expect([...seen].sort()).toEqual([400, 401]);
      expect(campaign.log.filter(({ level }) => level === 'error')).toEqual([]);
      expect((await campaign.signIn(mira)).user.email).toBe(mira);
    },
  );
});
