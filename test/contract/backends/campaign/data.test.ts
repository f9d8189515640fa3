import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { ConnectError } from '@connectrpc/connect';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCampaignStore } from '../../../../src-main/backends/campaign/store.ts';
import { CampaignState } from '../../../../src-shared/gen/campaign/v1/campaigns_pb.js';
import { Direction } from '../../../../src-shared/gen/campaign/v1/leads_pb.js';
import { campaignClients, codeOf, startTestCampaign, type TestCampaign } from '../../../support/campaign.ts';
import { dialects, newPostgresDatabase } from '../../../support/databases.ts';
import { requestCountText, sweepRequests } from '../../../support/sweeps.ts';

// BCK-001: campaigns, content, leads and everything else are gRPC only.

type Clients = ReturnType<typeof campaignClients>;

const { DRAFT, RUNNING, PAUSED, ENDED, UNSPECIFIED } = CampaignState;
const saidOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => ConnectError.from(error).rawMessage,
  );

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  describe.skipIf(dialect.missing !== undefined)(`campaigns and leads on ${dialect.name}${why}`, () => {
    let campaign: TestCampaign;
    let mira: Clients;
    let jon: Clients;
    let store: string;
    const removers: (() => void)[] = [];
    beforeAll(async () => {
      const { place, remove } = await dialect.place();
      const media = mkdtempSync(join(tmpdir(), 'campaign-media-'));
      removers.push(remove, () => rmSync(media, { recursive: true }));
      store = place.kind === 'postgres' ? place.url : place.file;
      campaign = await startTestCampaign({
        AUTH_JWT_SECRET: 'a secret of this test only, 32 bytes and more',
        CAMPAIGN_STORE: store,
        CAMPAIGN_MEDIA_DIR: media,
        PLATFORM_ENVELOPE_KEK: Buffer.alloc(32, 7).toString('base64'),
      });
      const clients = async (email: string): Promise<Clients> =>
        campaignClients(campaign.url, (await campaign.signIn(email)).accessToken);
      mira = await clients('mira.koch@example.com');
      jon = await clients('jon@example.com');
    });
    afterAll(async () => {
      await campaign.close();
      for (const remove of removers) remove();
    });

    const newCampaign = async (who: Clients, name = 'Spring'): Promise<string> => {
      const { campaign: made } = await who.campaigns.createCampaign({ name, goal: '' });
      return made?.id ?? '';
    };

    it('makes a draft, and answers it as it was made', async () => {
      const { campaign: made } = await mira.campaigns.createCampaign({
        name: '  Spring 🌱 sale ',
        goal: 'Two hundred\nnew readers',
      });
      expect(made).toMatchObject({
        name: 'Spring 🌱 sale',
        goal: 'Two hundred\nnew readers',
        state: DRAFT,
      });
      expect((await mira.campaigns.getCampaign({ id: made?.id ?? '' })).campaign).toEqual(made);
    });

    it.each([
      ['no name', { name: ' ', goal: '' }, 'name has 0 characters: give 1 to 200.'],
      ['a name of 201', { name: '🌱'.repeat(201), goal: '' }, 'name has 201 characters: give 1 to 200.'],
      ['a goal of 2,001', { name: 'a', goal: 'b'.repeat(2001) }, 'goal has 2001 characters: give 0 to 2000.'],
      ['a NUL', { name: 'a\0b', goal: '' }, 'name holds a control character.'],
    ])('refuses a campaign with %s', async (_, request, words) => {
      expect(await saidOf(mira.campaigns.createCampaign(request))).toBe(words);
    });

    it('keeps names of 200 characters and goals of 2,000', async () => {
      const { campaign: made } = await mira.campaigns.createCampaign({
        name: '🌱'.repeat(200),
        goal: 'ü'.repeat(2000),
      });
      expect([...(made?.name ?? '')]).toHaveLength(200);
      expect(made?.goal).toHaveLength(2000);
    });

    it('shows a person their own alone: another’s is NOT_FOUND in the words of none', async () => {
      const id = await newCampaign(mira);
      const none = 'You have no campaign of that id.';
      expect(await saidOf(jon.campaigns.getCampaign({ id }))).toBe(none);
      expect(await saidOf(jon.campaigns.getCampaign({ id: 'c-000000000000000000000000' }))).toBe(none);
      expect(await saidOf(jon.campaigns.setCampaignState({ id, state: RUNNING }))).toBe(none);
      expect(await saidOf(jon.leads.listLeads({ campaignId: id }))).toBe(none);
      expect(await saidOf(jon.leads.createLead({ campaignId: id, email: 'a@b.example' }))).toBe(none);
      const { campaigns } = await jon.campaigns.listCampaigns({});
      expect(campaigns.map((each) => each.id)).not.toContain(id);
    });

    it('answers UNAUTHENTICATED to every call without a session', async () => {
      const nobody = campaignClients(campaign.url);
      const forged = campaignClients(campaign.url, 'a.b.c');
      for (const { campaigns, leads, content, auth } of [nobody, forged])
        for (const call of [
          () => campaigns.listCampaigns({}),
          () => campaigns.getCampaign({ id: 'x' }),
          () => campaigns.createCampaign({ name: 'x' }),
          () => campaigns.setCampaignState({ id: 'x', state: RUNNING }),
          () => leads.listLeads({ campaignId: 'x' }),
          () => leads.createLead({ campaignId: 'x' }),
          () => leads.listMessages({ leadId: 'x' }),
          () => content.listContent({ campaignId: 'x' }),
          () => content.uploadContent((async function* () {})()),
          () => content.signContentUrl({ name: 'x' }),
          () => content.publishEpisode({ name: 'x' }),
          () => auth.whoAmI({}),
          () => auth.signOut({}),
        ])
          expect(await codeOf(call())).toBe('Unauthenticated');
    });

    it('answers the most recently changed first, page by page, each campaign once', async () => {
      const own = campaignClients(campaign.url, (await campaign.signIn('pages@example.com')).accessToken);
      const ids: string[] = [];
      for (let at = 0; at < 7; at += 1) ids.push(await newCampaign(own, `Campaign ${at}`));
      campaign.advance(1000);
      await own.campaigns.setCampaignState({ id: ids[2] ?? '', state: RUNNING });
      const seen: string[] = [];
      let pageToken = '';
      const sizes: number[] = [];
      do {
        const page = await own.campaigns.listCampaigns({ pageSize: 3, pageToken });
        seen.push(...page.campaigns.map(({ id }) => id));
        sizes.push(page.campaigns.length);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(sizes).toEqual([3, 3, 1]);
      expect(seen[0]).toBe(ids[2]);
      expect([...seen].sort()).toEqual([...ids].sort());
      const { campaigns } = await own.campaigns.listCampaigns({});
      expect(campaigns.map(({ id }) => id)).toEqual(seen);
      const times = campaigns.map(({ updatedAt }) => (updatedAt ? timestampMs(updatedAt) : 0));
      expect(times).toEqual([...times].sort((a, b) => b - a));
    });

    it.each([
      ['a negative page size', { pageSize: -1 }, 'page_size is -1: give 1 to 200, or 0 for 50.'],
      ['a page size of 201', { pageSize: 201 }, 'page_size is 201: give 1 to 200, or 0 for 50.'],
      ['a page token nobody gave', { pageToken: 'x' }, 'page_token is none of ours'],
      [
        'a page token with a made-up time',
        { pageToken: Buffer.from('[1e99,"c-000000000000000000000000"]').toString('base64url') },
        'page_token is none of ours',
      ],
    ])('refuses %s', async (_, request, words) => {
      expect(await saidOf(mira.campaigns.listCampaigns(request))).toContain(words);
    });

    const moves: readonly (readonly [CampaignState, number, string])[] = [
      [DRAFT, RUNNING, 'answered'],
      [DRAFT, DRAFT, 'FailedPrecondition'],
      [DRAFT, PAUSED, 'FailedPrecondition'],
      [DRAFT, ENDED, 'FailedPrecondition'],
      [RUNNING, PAUSED, 'answered'],
      [RUNNING, ENDED, 'answered'],
      [RUNNING, RUNNING, 'FailedPrecondition'],
      [RUNNING, DRAFT, 'FailedPrecondition'],
      [PAUSED, RUNNING, 'answered'],
      [PAUSED, ENDED, 'answered'],
      [PAUSED, PAUSED, 'FailedPrecondition'],
      [PAUSED, DRAFT, 'FailedPrecondition'],
      [ENDED, RUNNING, 'FailedPrecondition'],
      [ENDED, PAUSED, 'FailedPrecondition'],
      [ENDED, DRAFT, 'FailedPrecondition'],
      [ENDED, ENDED, 'FailedPrecondition'],
      [RUNNING, UNSPECIFIED, 'InvalidArgument'],
      [RUNNING, 99, 'InvalidArgument'],
    ];
    const wayTo: Readonly<Partial<Record<CampaignState, readonly CampaignState[]>>> = {
      [DRAFT]: [],
      [RUNNING]: [RUNNING],
      [PAUSED]: [RUNNING, PAUSED],
      [ENDED]: [RUNNING, ENDED],
    };
    it.each(
      moves.map(
        ([from, to, code]) => [CampaignState[from], CampaignState[to] ?? to, code, from, to] as const,
      ),
    )('moves a campaign from %s to %s: %s', async (_from, _to, code, from, to) => {
      const id = await newCampaign(mira);
      for (const state of wayTo[from] ?? []) await mira.campaigns.setCampaignState({ id, state });
      expect(await codeOf(mira.campaigns.setCampaignState({ id, state: to }))).toBe(code);
      const { campaign: after } = await mira.campaigns.getCampaign({ id });
      expect(after?.state).toBe(code === 'answered' ? to : from);
    });

    it('lets one of 20 who start a draft at once do it', async () => {
      const id = await newCampaign(mira);
      const codes = await Promise.all(
        Array.from({ length: 20 }, () => codeOf(mira.campaigns.setCampaignState({ id, state: RUNNING }))),
      );
      expect(codes.filter((code) => code === 'answered')).toHaveLength(1);
      expect(codes.filter((code) => code === 'FailedPrecondition')).toHaveLength(19);
    });

    it('keeps the leads of a campaign, newest first, each address and number once', async () => {
      const campaignId = await newCampaign(mira);
      const { lead: ana } = await mira.leads.createLead({
        campaignId,
        name: 'Ana',
        email: ' Ana@Example.com ',
        phone: '+4915112345678',
      });
      campaign.advance(1000);
      const { lead: ben } = await mira.leads.createLead({ campaignId, phone: '+491511234567' });
      campaign.advance(1000);
      await mira.leads.createLead({ campaignId, email: 'cleo@example.com' });
      expect(ana).toMatchObject({ name: 'Ana', email: 'ana@example.com', phone: '+4915112345678' });
      const { leads } = await mira.leads.listLeads({ campaignId });
      expect(leads.map(({ email, phone }) => email || phone)).toEqual([
        'cleo@example.com',
        ben?.phone,
        ana?.email,
      ]);
      for (const again of [
        { email: 'ANA@example.com' },
        { phone: '+4915112345678' },
        { email: 'new@example.com', phone: '+491511234567' },
      ])
        expect(await codeOf(mira.leads.createLead({ campaignId, ...again }))).toBe('AlreadyExists');
      const other = await newCampaign(mira);
      expect(await codeOf(mira.leads.createLead({ campaignId: other, email: 'ana@example.com' }))).toBe(
        'answered',
      );
    });

    it('keeps one of 20 equal leads that come at once', async () => {
      const campaignId = await newCampaign(mira);
      const codes = await Promise.all(
        Array.from({ length: 20 }, () =>
          codeOf(mira.leads.createLead({ campaignId, email: 'one@example.com' })),
        ),
      );
      expect(codes.filter((code) => code === 'answered')).toHaveLength(1);
      expect(codes.filter((code) => code === 'AlreadyExists')).toHaveLength(19);
    });

    it.each([
      ['neither email nor phone', { name: 'Ana' }, 'A lead needs an email or a phone.'],
      ['an email that is none', { email: 'ana' }, 'email is no address'],
      ['an email with a NUL', { email: 'a\0@b.example' }, 'email is no address'],
      ['a phone without its country', { phone: '015112345678' }, 'phone is not in the form of E.164'],
      ['a phone of 16 digits', { phone: `+${'1'.repeat(16)}` }, 'phone is not in the form of E.164'],
      ['a name too long', { name: 'a'.repeat(201), email: 'a@b.example' }, 'name has 201 characters'],
    ])('refuses a lead with %s', async (_, request, words) => {
      const campaignId = await newCampaign(mira);
      const call = mira.leads.createLead({ campaignId, ...request });
      const [said, code] = await Promise.all([saidOf(call), codeOf(call)]);
      expect([said, code]).toEqual([expect.stringContaining(words), 'InvalidArgument']);
    });

    it('answers the messages of a lead oldest first, to the owner alone, each of them once', async () => {
      const campaignId = await newCampaign(mira);
      const { lead } = await mira.leads.createLead({ campaignId, phone: '+4915100000001' });
      const leadId = lead?.id ?? '';
      // Messages come by POST /twilio/message; here they are put where it puts them.
      const beside = await openCampaignStore(store);
      try {
        const message = (id: string, at: number) =>
          ({ id, leadId, direction: 'inbound', text: `text of ${id}`, at }) as const;
        expect(await beside.messages.add(message('SM2', 2000))).toBe(true);
        expect(await beside.messages.add(message('SM1', 1000))).toBe(true);
        expect(await beside.messages.add(message('SM1', 3000))).toBe(false);
        expect(await beside.messages.add({ ...message('SM3', 1500), leadId: undefined })).toBe(true);
        expect(await beside.messages.add({ ...message('SM3', 1600), leadId: undefined })).toBe(false);
        expect(await beside.leads.newestWithPhone('+4915100000001')).toMatchObject({ id: leadId });
        expect(await beside.leads.newestWithPhone('')).toBeUndefined();
      } finally {
        await beside.close();
      }
      const { messages } = await mira.leads.listMessages({ leadId });
      expect(messages.map(({ id, text, direction }) => [id, text, direction])).toEqual([
        ['SM1', 'text of SM1', Direction.INBOUND],
        ['SM2', 'text of SM2', Direction.INBOUND],
      ]);
      expect(await codeOf(jon.leads.listMessages({ leadId }))).toBe('NotFound');
      expect(await codeOf(mira.leads.listMessages({ leadId: '' }))).toBe('NotFound');
    });

    it('keeps 1,000 campaigns of a person and 1,000 leads of a campaign, and says so to the next', async () => {
      const session = await campaign.signIn('many@example.com');
      const own = campaignClients(campaign.url, session.accessToken);
      const campaignId = await newCampaign(own);
      const beside = await openCampaignStore(store);
      try {
        for (let at = 1; at < 1000; at += 1) {
          const id = at.toString(16).padStart(24, '0');
          const owned = { owner: session.user.id, name: `${at}`, createdAt: at };
          await beside.campaigns.add({ ...owned, id: `c-${id}`, goal: '', state: 'draft', updatedAt: at });
          await beside.leads.add({
            ...owned,
            id: `l-${id}`,
            campaignId,
            email: `${at}@example.com`,
            phone: '',
          });
        }
      } finally {
        await beside.close();
      }
      const lead = (email: string): Promise<string> => codeOf(own.leads.createLead({ campaignId, email }));
      expect(await lead('last@example.com')).toBe('answered');
      expect(await lead('one-more@example.com')).toBe('ResourceExhausted');
      expect((await own.leads.listLeads({ campaignId })).leads).toHaveLength(1000);
      expect(await saidOf(own.campaigns.createCampaign({ name: 'one more' }))).toBe(
        'You have 1000 campaigns, which is the most this backend keeps for a person.',
      );
    });

    it(`refuses ${requestCountText} requests nobody means with a code of the caller’s fault, or does them`, async () => {
      const own = campaignClients(campaign.url, (await campaign.signIn('fuzz@example.com')).accessToken);
      const id = await newCampaign(own);
      const text = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.constantFrom('', id, 'c-000000000000000000000000', "'; drop table campaigns; --", '+491', 'a@b'),
        fc
          .tuple(fc.nat(), fc.string())
          .map((pair) => Buffer.from(JSON.stringify(pair)).toString('base64url')),
      );
      const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
      const call = fc.oneof(
        fc.record({ pageSize: int, pageToken: text }).map((r) => () => own.campaigns.listCampaigns(r)),
        text.map((each) => () => own.campaigns.getCampaign({ id: each })),
        fc.record({ id: text, state: int }).map((r) => () => own.campaigns.setCampaignState(r)),
        fc.record({ name: text, goal: text }).map((r) => () => own.campaigns.createCampaign(r)),
        fc
          .record({ campaignId: text, name: text, email: text, phone: text })
          .map((r) => () => own.leads.createLead(r)),
        text.map((campaignId) => () => own.leads.listLeads({ campaignId })),
        text.map((leadId) => () => own.leads.listMessages({ leadId })),
      );
      const codes = new Set<string>();
      const allowed = [
        'answered',
        'InvalidArgument',
        'NotFound',
        'AlreadyExists',
        'FailedPrecondition',
        'ResourceExhausted',
      ];
      await sweepRequests(call, async (each) => {
        const code = await codeOf(each());
        expect(allowed).toContain(code);
        codes.add(code);
      });
      expect(codes).toContain('answered');
      expect(campaign.log.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });
}

const { missing } = dialects.find(({ name }) => name === 'PostgreSQL') ?? {};
describe.skipIf(missing !== undefined)(
  `a store that is gone${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    it('is told in words and logged: UNAVAILABLE over gRPC, 503 of a plain route, 200 of /health', async () => {
      const url = await newPostgresDatabase();
      const media = mkdtempSync(join(tmpdir(), 'campaign-media-'));
      const campaign = await startTestCampaign({
        AUTH_JWT_SECRET: 'a secret of this test only, 32 bytes and more',
        CAMPAIGN_STORE: url,
        CAMPAIGN_MEDIA_DIR: media,
        PLATFORM_ENVELOPE_KEK: Buffer.alloc(32, 7).toString('base64'),
      });
      try {
        const { accessToken, refreshToken } = await campaign.signIn('mira.koch@example.com');
        const server = new URL(url);
        const name = server.pathname.slice(1);
        server.pathname = '/postgres';
        const client = new Client({ connectionString: server.href });
        await client.connect();
        await client.query(`drop database ${name} with (force)`);
        await client.end();
        const words = 'does not exist on its server: create it, or correct CAMPAIGN_STORE.';
        // A connection that was cut under the pool is met once, and replaced.
        await vi.waitFor(async () =>
          expect(
            await saidOf(campaignClients(campaign.url, accessToken).campaigns.listCampaigns({})),
          ).toContain(words),
        );
        expect(await codeOf(campaignClients(campaign.url, accessToken).auth.whoAmI({}))).toBe('Unavailable');
        const answer = await campaign.post('/auth/refresh', { refresh_token: refreshToken });
        expect([answer.status, await answer.json()]).toEqual([
          503,
          { error: expect.stringContaining(words) },
        ]);
        expect((await fetch(`${campaign.url}/health`)).status).toBe(200);
        expect(campaign.log).toContainEqual({
          level: 'error',
          fields: { err: expect.any(Error), call: '/auth/refresh' },
          message: 'a call failed',
        });
      } finally {
        await campaign.close();
        rmSync(media, { recursive: true });
      }
    });
  },
);
