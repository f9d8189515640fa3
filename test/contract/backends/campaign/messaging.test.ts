import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Direction } from '../../../../src-shared/gen/campaign/v1/leads_pb.js';
import { campaignClients, startTestCampaign, type TestCampaign } from '../../../support/campaign.ts';
import { messageForms, multipartBodies } from '../../../support/campaign-noise.ts';
import { requestCountText, sweepRequests } from '../../../support/sweeps.ts';

// BCK-029 and BCK-049: the only inbound message route.

const base = 'https://campaign.example/sub';
const authToken = 'a-token-of-this-test-only';
const accountSid = `AC${'0a'.repeat(16)}`;
const phone = '+4915112345678';
let campaign: TestCampaign;
let mira: ReturnType<typeof campaignClients>;
let leadId: string;
const dispatcher = new Agent({ connections: 16 });

beforeAll(async () => {
  campaign = await startTestCampaign({
    CAMPAIGN_PUBLIC_BASE_URL: base,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_ACCOUNT_SID: accountSid,
  });
  mira = campaignClients(campaign.url, (await campaign.signIn('mira@example.com')).accessToken);
  const { campaign: made } = await mira.campaigns.createCampaign({ name: 'Spring sale', goal: '' });
  const { lead } = await mira.leads.createLead({ campaignId: made?.id ?? '', name: 'Lea', phone });
  leadId = lead?.id ?? '';
});
afterAll(async () => {
  await dispatcher.close();
  await campaign.close();
});

const newSid = (): string => `SM${randomBytes(16).toString('hex')}`;
const message = (fields: Record<string, string> = {}): Record<string, string> => ({
  MessageSid: newSid(),
  AccountSid: accountSid,
  From: phone,
  To: '+15550100',
  Body: 'Hello',
  NumMedia: '0',
  ...fields,
});
const signed = (fields: Record<string, string | string[]>, query = ''): string =>
  getExpectedTwilioSignature(authToken, `${base}/twilio/message${query}`, fields);
const send = (
  fields: Record<string, string>,
  { query = '', signature = signed(fields, query), type = 'application/x-www-form-urlencoded' } = {},
): Promise<Response> =>
  fetch(`${campaign.url}/twilio/message${query}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(signature === '' ? {} : { 'x-twilio-signature': signature }) },
    body: new URLSearchParams(fields).toString(),
  });
const texts = async (): Promise<string[]> =>
  (await mira.leads.listMessages({ leadId })).messages.map(({ text }) => text);

describe('an inbound message (BCK-029, BCK-049)', () => {
  it.each([
    ['an SMS', phone],
    ['a WhatsApp message', `whatsapp:${phone}`],
  ])('%s lands at the lead of its number and is answered in TwiML', async (_, From) => {
    const fields = message({ From, Body: `Good day & <hello> from ${From} \u{1F600}` });
    const answer = await send(fields);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-8"?><Response/>',
    ]);
    const { messages } = await mira.leads.listMessages({ leadId });
    expect(messages.find(({ id }) => id === fields.MessageSid)).toMatchObject({
      direction: Direction.INBOUND,
      text: fields.Body,
    });
  });

  it('keeps the addresses of what was attached', async () => {
    const url = 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1';
    await send(message({ Body: '', NumMedia: '2', MediaUrl0: url, MediaUrl1: 'javascript:alert(1)' }));
    expect(await texts()).toContain(url);
  });

  it('of a number of no lead, and of a sender without a number, is taken and named in the log', async () => {
    const unknown = message({ From: '+15550199' });
    for (const fields of [unknown, message({ From: 'EXAMPLE' }), message({ From: '12345' })])
      expect((await send(fields)).status).toBe(200);
    expect(campaign.log).toContainEqual({
      level: 'info',
      fields: { message: unknown.MessageSid },
      message: 'a message came from a number of no lead',
    });
  });

  it('is signed over the query of its address, too', async () => {
    const fields = message();
    expect(
      (await send(fields, { query: '?route=a%20b', signature: signed(fields, '?route=other') })).status,
    ).toBe(403);
    expect((await send(fields, { query: '?route=a%20b' })).status).toBe(200);
  });
});

describe('what is refused (BCK-029)', () => {
  it('a request without a signature, with another one, or changed after it was signed', async () => {
    const before = (await texts()).length;
    const fields = message();
    const signature = signed(fields);
    for (const [sent, given] of [
      [fields, ''],
      [fields, 'bm90IGEgc2lnbmF0dXJl'],
      [{ ...fields, Body: 'Hello!' }, signature],
      [{ ...fields, Extra: '1' }, signature],
      [fields, getExpectedTwilioSignature('another token', `${base}/twilio/message`, fields)],
      [fields, getExpectedTwilioSignature(authToken, `${campaign.url}/twilio/message`, fields)],
    ] as const) {
      const answer = await send(sent, { signature: given });
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { error: expect.stringContaining('X-Twilio-Signature is not that of this message') },
      ]);
    }
    expect(await texts()).toHaveLength(before);
  });

  it('nothing of a replay, also of ten at once: it is answered as the first was, and the message is kept once', async () => {
    const fields = message({ Body: 'only once' });
    const first = await send(fields);
    const answerOf = async (answer: Response) => [
      answer.status,
      answer.headers.get('content-type'),
      await answer.text(),
    ];
    const expected = await answerOf(first);
    expect(expected[0]).toBe(200);
    for (const again of await Promise.all(Array.from({ length: 10 }, () => send(fields))))
      expect(await answerOf(again)).toEqual(expected);
    const atOnce = message({ Body: 'at once' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(atOnce)));
    for (const each of answers) expect(await answerOf(each)).toEqual(expected);
    for (const text of ['only once', 'at once'])
      expect((await texts()).filter((kept) => kept === text)).toHaveLength(1);
  });

  it.each([
    ['another account', { AccountSid: `AC${'ff'.repeat(16)}` }, 403],
    ['no message id', { MessageSid: '' }, 400],
    ['an id of another form', { MessageSid: 'SM1' }, 400],
    ['a text above 4,096 characters', { Body: 'x'.repeat(4097) }, 400],
    ['70 KB', { Extra: 'x'.repeat(70_000) }, 413],
  ])('%s', async (_, fields, status) => {
    const answer = await send(message(fields));
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }]);
  });

  it.each([['application/json'], ['multipart/form-data; boundary=x'], ['text/plain']])('%s', async (type) => {
    expect((await send(message(), { type })).status).toBe(415);
  });

  it('a form with more than 200 fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, number) => [`f${number}`, '']));
    expect((await send(many)).status).toBe(400);
  });

  it.each([[{ CAMPAIGN_PUBLIC_BASE_URL: base }], [{ TWILIO_AUTH_TOKEN: authToken }]])(
    'everything, with 503 in words, while only %j is set',
    async (env) => {
      const bare = await startTestCampaign(env);
      const answer = await fetch(`${bare.url}/twilio/message`, { method: 'POST' });
      expect([answer.status, await answer.json()]).toEqual([
        503,
        { error: expect.stringContaining('set TWILIO_AUTH_TOKEN and CAMPAIGN_PUBLIC_BASE_URL') },
      ]);
      await bare.close();
    },
  );
});

describe(`${requestCountText} forms of any kind`, () => {
  const post = async (
    body: Buffer,
    signature: string,
    type = 'application/x-www-form-urlencoded',
  ): Promise<number> => {
    const answer = await request(`${campaign.url}/twilio/message`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-twilio-signature': signature },
      body,
      dispatcher,
    });
    await answer.body.dump();
    return answer.statusCode;
  };

  it('of noise are answered 400 or 403', () =>
    sweepRequests(
      fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'grapheme-ascii', maxLength: 60 })),
      async ([body, signature]) => {
        expect([400, 403]).toContain(await post(Buffer.from(body), signature));
      },
    ));

  it('of several parts are answered 415', () =>
    sweepRequests(multipartBodies, async (body) => {
      expect(await post(body, 'x', 'multipart/form-data; boundary=x')).toBe(415);
    }));

  it('that are rightly signed are answered 200, 400 or 403', async () => {
    const seen = new Set<number>();
    await sweepRequests(
      messageForms({ MessageSid: newSid(), AccountSid: accountSid, From: phone }),
      async (form) => {
        const fields: Record<string, string | string[]> = Object.fromEntries(
          [...new Set(form.keys())].map((name) => {
            const values = form.getAll(name);
            return [name, values.length === 1 ? (values[0] ?? '') : values];
          }),
        );
        seen.add(await post(Buffer.from(form.toString()), signed(fields)));
      },
    );
    expect([200, 400, 403]).toEqual(expect.arrayContaining([...seen]));
    expect([...seen]).toEqual(expect.arrayContaining([200, 400]));
  });
});
