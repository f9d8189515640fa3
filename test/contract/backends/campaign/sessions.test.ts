import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuthService } from '../../../../src-shared/gen/campaign/v1/auth_pb.js';
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
import { dialects } from '../../../support/databases.ts';

const mira = 'mira.koch@example.com';
const jon = 'jon@example.com';
const issuer = startCampaignIssuer();
afterAll(async () => (await issuer).close());

const admin = { ADMIN_EMAIL: 'Admin@Example.com', ADMIN_PASSWORD: 'correct horse battery' };
const secret = { AUTH_JWT_SECRET: 'a secret of this test only, 32 bytes and more' };

const running: TestCampaign[] = [];
const removers: (() => void)[] = [];
afterEach(async () => {
  for (const each of running.splice(0).reverse()) await each.close();
  for (const remove of removers.splice(0)) remove();
});
async function start(env: Readonly<Record<string, string>> = {}): Promise<TestCampaign> {
  const campaign = await startTestCampaign(env, await issuer);
  running.push(campaign);
  return campaign;
}

const refresh = (campaign: TestCampaign, token: string): Promise<Response> =>
  campaign.post('/auth/refresh', { refresh_token: token });
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  describe.skipIf(dialect.missing !== undefined)(`sessions on ${dialect.name}${why}`, () => {
    /** Settings of a store that lasts, as several backends may share it. */
    const lasting = async (): Promise<Record<string, string>> => {
      const { place, remove } = await dialect.place();
      const media = mkdtempSync(join(tmpdir(), 'campaign-media-'));
      removers.push(remove, () => rmSync(media, { recursive: true }));
      return {
        ...secret,
        CAMPAIGN_STORE: place.kind === 'postgres' ? place.url : place.file,
        CAMPAIGN_MEDIA_DIR: media,
        PLATFORM_ENVELOPE_KEK: Buffer.alloc(32, 7).toString('base64'),
      };
    };

    it('go on with a new pair for a refresh token (BCK-022)', async () => {
      const campaign = await start(await lasting());
      const first = await campaign.signIn(mira);
      const answer = await refresh(campaign, first.refreshToken);
      expect(answer.status).toBe(200);
      const { session: second } = sessionJson.parse(await answer.json());
      expect(second.user).toEqual(first.user);
      expect(claimsOf(second.accessToken).sid).toBe(claimsOf(first.accessToken).sid);
      expect(second.accessToken).not.toBe(first.accessToken);
      expect(second.refreshToken).not.toBe(first.refreshToken);
      for (const { accessToken } of [first, second])
        expect((await campaignClients(campaign.url, accessToken).auth.whoAmI({})).user?.email).toBe(mira);
      const third = await campaignClients(campaign.url).auth.refresh({
        refreshToken: second.refreshToken,
      });
      expect(third.session?.user?.email).toBe(mira);
    });

    it('give exactly one new pair to 50 parallel refreshes of one token, over two backends of one store', async () => {
      const settings = await lasting();
      const one = await start(settings);
      const two = await start({ ...settings, OIDC_ISSUER: one.issuer.issuer });
      const { refreshToken } = await one.signIn(mira);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => refresh(at % 2 === 0 ? one : two, refreshToken)),
      );
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
      const winner = answers.find(({ status }) => status === 200);
      const { session } = sessionJson.parse(await winner?.json());
      // Losing at the same moment is no theft: the winner's session goes on.
      expect((await refresh(two, session.refreshToken)).status).toBe(200);
    });

    it('give exactly one new pair to 50 parallel refreshes over gRPC, too', async () => {
      const campaign = await start(await lasting());
      const { refreshToken } = await campaign.signIn(mira);
      const { auth } = campaignClients(campaign.url);
      const codes = await Promise.all(
        Array.from({ length: 50 }, () => codeOf(auth.refresh({ refreshToken }))),
      );
      expect(codes.sort()).toEqual([...Array.from({ length: 49 }, () => 'Aborted'), 'answered']);
    });

    it('end when a used refresh token comes back: then neither of its two users goes on (RFC 9700, 4.14.2)', async () => {
      const campaign = await start(await lasting());
      const first = await campaign.signIn(mira);
      const { session: second } = sessionJson.parse(
        await (await refresh(campaign, first.refreshToken)).json(),
      );
      campaign.advance(10_000);
      expect((await refresh(campaign, first.refreshToken)).status).toBe(401);
      expect((await refresh(campaign, second.refreshToken)).status).toBe(401);
      expect(await codeOf(campaignClients(campaign.url, second.accessToken).auth.whoAmI({}))).toBe(
        'Unauthenticated',
      );
      expect(campaign.log).toContainEqual({
        level: 'warn',
        fields: { session: claimsOf(first.accessToken).sid },
        message: 'a used refresh token came back: its session was ended',
      });
    });

    it('end at once when a refresh token before the last comes back', async () => {
      const campaign = await start(await lasting());
      const first = await campaign.signIn(mira);
      const second = sessionJson.parse(await (await refresh(campaign, first.refreshToken)).json());
      const third = sessionJson.parse(await (await refresh(campaign, second.session.refreshToken)).json());
      expect((await refresh(campaign, first.refreshToken)).status).toBe(401);
      expect((await refresh(campaign, third.session.refreshToken)).status).toBe(401);
    });

    it('do not end for a refresh token somebody made up', async () => {
      const campaign = await start(await lasting());
      const first = await campaign.signIn(mira);
      const { session } = sessionJson.parse(await (await refresh(campaign, first.refreshToken)).json());
      const [id, , random, mark] = session.refreshToken.split('.');
      for (const madeUp of [
        `${id}.0.${random}.${mark}`,
        `${id}.0.${'A'.repeat(43)}.${'A'.repeat(22)}`,
        `${id}.999999999.${random}.${mark}`,
        `${id}`,
        session.accessToken,
      ])
        expect((await refresh(campaign, madeUp)).status).toBe(401);
      expect((await refresh(campaign, session.refreshToken)).status).toBe(200);
    });

    it('are refused after sign-out (BCK-018, BCK-053)', async () => {
      const campaign = await start(await lasting());
      const first = await campaign.signIn(mira);
      const other = await campaign.signIn(mira);
      await campaignClients(campaign.url, first.accessToken).auth.signOut({});
      const answer = await refresh(campaign, first.refreshToken);
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { error: expect.stringContaining('Sign in again.') },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="campaign"');
      const { auth } = campaignClients(campaign.url, first.accessToken);
      expect(await codeOf(auth.whoAmI({}))).toBe('Unauthenticated');
      expect(await codeOf(auth.signOut({}))).toBe('Unauthenticated');
      expect((await refresh(campaign, other.refreshToken)).status).toBe(200);
    });

    it('of which one is signed out while 20 refreshes run end for good', async () => {
      const campaign = await start(await lasting());
      const { accessToken, refreshToken } = await campaign.signIn(mira);
      const { auth } = campaignClients(campaign.url, accessToken);
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => refresh(campaign, refreshToken))),
        auth.signOut({}),
      ]);
      const won = answers.find(({ status }) => status === 200);
      if (won !== undefined) {
        const { session } = sessionJson.parse(await won.json());
        expect((await refresh(campaign, session.refreshToken)).status).toBe(401);
      }
      expect(await codeOf(auth.whoAmI({}))).toBe('Unauthenticated');
    });

    it('let an access token run out after 15 minutes and a refresh token after 30 days', async () => {
      const campaign = await start(await lasting());
      const first = await campaign.signIn(mira);
      const early = { auth: campaignClients(campaign.url, first.accessToken).auth };
      campaign.advance(14 * 60_000);
      expect(await codeOf(early.auth.whoAmI({}))).toBe('answered');
      campaign.advance(60_000);
      expect(await codeOf(early.auth.whoAmI({}))).toBe('Unauthenticated');
      const { session } = sessionJson.parse(await (await refresh(campaign, first.refreshToken)).json());
      campaign.advance(30 * 24 * 3_600_000);
      expect((await refresh(campaign, session.refreshToken)).status).toBe(401);
    });

    it('are 100 a person at most: the oldest ends when another begins', async () => {
      const campaign = await start(await lasting());
      const begin = async () => {
        campaign.advance(1);
        const idToken = await campaign.issuer.idToken(jon);
        const answer = await campaign.post('/auth/google', { id_token: idToken });
        return sessionJson.parse(await answer.json()).session;
      };
      const somebodys = await campaign.signIn(mira);
      const first = await begin();
      const second = await begin();
      for (let sessions = 2; sessions < 101; sessions += 1) await begin();
      expect((await refresh(campaign, first.refreshToken)).status).toBe(401);
      expect((await refresh(campaign, second.refreshToken)).status).toBe(200);
      expect((await refresh(campaign, somebodys.refreshToken)).status).toBe(200);
    });

    it('belong to the same person when the backend is given another issuer', async () => {
      const settings = await lasting();
      const one = await start(settings);
      const before = await one.signIn(mira);
      const any = await startAnyIssuer(campaignClientId);
      const two = await start({ ...settings, OIDC_ISSUER: any.issuer });
      const answer = await two.post('/auth/google', { id_token: await any.sign({ sub: '40' }) });
      await any.close();
      expect(sessionJson.parse(await answer.json()).session.user.id).toBe(before.user.id);
    });

    it('outlive a restart, and end with another password or another AUTH_JWT_SECRET', async () => {
      const settings = { ...(await lasting()), ...admin };
      const restarted = async (env: Record<string, string>): Promise<TestCampaign> => {
        await running.pop()?.close();
        return start({ ...settings, ...env });
      };
      const login = async (campaign: TestCampaign, password: string) => {
        const { session } = await campaignClients(campaign.url).auth.login({
          email: admin.ADMIN_EMAIL,
          password,
        });
        return { refreshToken: session?.refreshToken ?? '', id: session?.user?.id };
      };
      const before = await login(await start(settings), admin.ADMIN_PASSWORD);
      let campaign = await restarted({});
      const { session } = sessionJson.parse(await (await refresh(campaign, before.refreshToken)).json());
      campaign = await restarted({ ADMIN_PASSWORD: 'another password' });
      expect((await refresh(campaign, session.refreshToken)).status).toBe(401);
      const after = await login(campaign, 'another password');
      expect(after.id).toBe(before.id);
      expect(
        await codeOf(
          campaignClients(campaign.url).auth.login({
            email: admin.ADMIN_EMAIL,
            password: admin.ADMIN_PASSWORD,
          }),
        ),
      ).toBe('Unauthenticated');
      campaign = await restarted({
        ADMIN_PASSWORD: 'another password',
        AUTH_JWT_SECRET: 'another secret of this test only, 32 bytes and more',
      });
      expect((await refresh(campaign, after.refreshToken)).status).toBe(401);
    });
  });
}

describe('access tokens', () => {
  let campaign: TestCampaign;
  beforeAll(async () => {
    campaign = await startTestCampaign(secret, await issuer);
  });
  afterAll(() => campaign.close());
  const key = Buffer.from(secret.AUTH_JWT_SECRET);

  it('are good in gRPC-Web as in gRPC, in the bearer header alone (BCK-001)', async () => {
    const { accessToken } = await campaign.signIn(mira);
    const whoAmI = (headers: Record<string, string>): Promise<string> =>
      codeOf(
        createClient(
          AuthService,
          createGrpcWebTransport({ baseUrl: campaign.url, httpVersion: '1.1' }),
        ).whoAmI({}, { headers }),
      );
    expect(await whoAmI({ authorization: `Bearer ${accessToken}` })).toBe('answered');
    expect(await whoAmI({ authorization: `bearer ${accessToken}` })).toBe('answered');
    for (const headers of [
      {},
      { authorization: `Basic ${accessToken}` },
      { authorization: accessToken },
      { authorization: 'Bearer ' },
      { cookie: `campaign_session=${accessToken}` },
    ])
      expect(await whoAmI(headers)).toBe('Unauthenticated');
  });

  it('are refused when they are not exactly what this backend signed', async () => {
    const { accessToken } = await campaign.signIn(mira);
    const claims = claimsOf(accessToken);
    const signed = (changes: object, typ = 'at+jwt', signer: Buffer = key): Promise<string> =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256', typ }).sign(signer);
    const code = async (token: string): Promise<string> =>
      codeOf(campaignClients(campaign.url, token).auth.whoAmI({}));
    expect(await code(await signed({}))).toBe('answered');
    const head = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    for (const token of [
      await signed({ aud: 'cockpit' }),
      await signed({ iss: 'cockpit' }),
      await signed({ exp: undefined }),
      await signed({ sid: 's-000000000000000000000000' }),
      await signed({ sub: 'p-000000000000000000000000' }),
      await signed({ sid: undefined }),
      await signed({ sid: ['x'] }),
      await signed({}, 'JWT'),
      await signed({}, 'at+jwt', Buffer.alloc(32, 1)),
      `${head}.${accessToken.split('.')[1]}.`,
    ])
      expect(await code(token)).toBe('Unauthenticated');
  });
});
