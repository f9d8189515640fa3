import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { voiceRoutes } from '../../../../src-main/backends/campaign/voice/index.ts';
import { serveBackend, silentLog } from '../../../../src-main/backends/serving/index.ts';
import { startTestCampaign, type TestCampaign } from '../../../support/campaign.ts';
import { descriptions, offer, recordings } from '../../../support/campaign-noise.ts';
import { campaignParts } from '../../../support/campaign-parts.ts';
import { requestCountText, sweepRequests } from '../../../support/sweeps.ts';

// BCK-025, BCK-026 and BCK-051: POST /voice/webrtc/offer and POST /voice/transcribe.

const agentSdp = offer.replace('setup:actpass', 'setup:active');

/** A service behind the backend: what it was sent, and what it answers next. */
type Service = {
  readonly url: string;
  readonly received: { headers: IncomingMessage['headers']; path: string; body: Buffer }[];
  answer: (response: ServerResponse) => void;
  close(): void;
};

async function startService(usual: object): Promise<Service> {
  const received: Service['received'] = [];
  const server: Server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    received.push({ headers: incoming.headers, path: incoming.url ?? '', body: Buffer.concat(chunks) });
    service.answer(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (response) => void json(response, 200, usual),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return service;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

let calling: Service;
let speech: Service;
let campaign: TestCampaign;
let token: string;
const dispatcher = new Agent({ connections: 16 });

beforeAll(async () => {
  calling = await startService({ sdp: agentSdp, type: 'answer', pc_id: 'internal' });
  speech = await startService({ text: 'hello there' });
  campaign = await startTestCampaign({
    CALLING_AGENT_URL: `${calling.url}/api/offer`,
    SPEECH_TO_TEXT_URL: `${speech.url}/v1`,
    SPEECH_TO_TEXT_API_KEY: 'speech-key',
    SPEECH_TO_TEXT_MODEL: 'whisper-large-v3',
  });
  token = (await campaign.signIn('mira@example.com')).accessToken;
});
afterAll(async () => {
  await dispatcher.close();
  await campaign.close();
  calling.close();
  speech.close();
});

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  contentType = 'application/json',
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
): Promise<Response> =>
  fetch(`${campaign.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': contentType, ...headers },
    body,
  });
const postOffer = (body: unknown) => post('/voice/webrtc/offer', JSON.stringify(body));

describe('POST /voice/webrtc/offer (BCK-025)', () => {
  it('forwards an offer in JSON and answers what the agent answered', async () => {
    calling.received.length = 0;
    const answer = await postOffer({ sdp: offer, type: 'offer' });
    expect([answer.status, await answer.json()]).toEqual([200, { sdp: agentSdp, type: 'answer' }]);
    const [received] = calling.received;
    expect(received?.path).toBe('/api/offer');
    expect(JSON.parse(String(received?.body))).toEqual({ sdp: offer, type: 'offer' });
    expect(received?.headers.authorization).toBeUndefined();
    expect(received?.headers.cookie).toBeUndefined();
  });

  it('takes and answers a bare session description, too', async () => {
    const answer = await post('/voice/webrtc/offer', offer, 'application/sdp');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/sdp',
      agentSdp,
    ]);
  });

  it('is refused with 401 without a session', async () => {
    calling.received.length = 0;
    const answer = await post(
      '/voice/webrtc/offer',
      JSON.stringify({ sdp: offer, type: 'offer' }),
      undefined,
      {},
    );
    expect([answer.status, calling.received.length]).toEqual([401, 0]);
  });

  it('is 503 in words while CALLING_AGENT_URL is unset (BCK-051)', async () => {
    const bare = await startTestCampaign();
    const { accessToken } = await bare.signIn('mira@example.com');
    const answer = await bare.post(
      '/voice/webrtc/offer',
      { sdp: offer, type: 'offer' },
      { authorization: `Bearer ${accessToken}` },
    );
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: expect.stringContaining('Set CALLING_AGENT_URL') },
    ]);
    await bare.close();
  });

  it.each([
    ['no JSON', '{', 400],
    ['an answer instead of an offer', JSON.stringify({ sdp: offer, type: 'answer' }), 400],
    ['no description', JSON.stringify({ type: 'offer' }), 400],
    [
      'a description without media',
      JSON.stringify({ sdp: 'v=0\r\no=- 1 1 IN IP4 a\r\ns=-\r\nt=0 0\r\n', type: 'offer' }),
      400,
    ],
    ['lines that are none', JSON.stringify({ sdp: `${offer}hello\r\n`, type: 'offer' }), 400],
    ['a second session', JSON.stringify({ sdp: `${offer}${offer}`, type: 'offer' }), 400],
    ['a control character', JSON.stringify({ sdp: offer.replace('opus', 'op\0us'), type: 'offer' }), 400],
    [
      'a line of 5,000 characters',
      JSON.stringify({ sdp: `${offer}a=${'x'.repeat(5000)}\r\n`, type: 'offer' }),
      400,
    ],
    ['3,000 lines', JSON.stringify({ sdp: offer + 'a=x\r\n'.repeat(3000), type: 'offer' }), 400],
    ['200 KB', JSON.stringify({ sdp: `${offer}${'a=x\r\n'.repeat(40_000)}`, type: 'offer' }), 413],
  ])('refuses %s, and forwards nothing', async (_, body, status) => {
    calling.received.length = 0;
    const answer = await post('/voice/webrtc/offer', body);
    expect([answer.status, calling.received.length]).toEqual([status, 0]);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a failure', (response) => json(response, 500, {}), 'it answered with status 500'],
    ['no JSON', (response) => void response.end('<html>'), 'its answer is no JSON'],
    ['an offer', (response) => json(response, 200, { sdp: offer, type: 'offer' }), 'lacks a field'],
    ['no description', (response) => json(response, 200, { sdp: 'hello', type: 'answer' }), 'lacks a field'],
    ['more than it may', (response) => void response.end('x'.repeat(300_000)), 'more than 262144 bytes'],
    ['a redirect', (response) => void response.writeHead(302, { location: '/' }).end(), 'could not be used'],
    ['a cut connection', (response) => void response.destroy(), 'could not be used'],
  ])('is 502 in words when the agent answers %s', async (_, reply, words) => {
    const usual = calling.answer;
    calling.answer = reply;
    const answer = await postOffer({ sdp: offer, type: 'offer' });
    calling.answer = usual;
    expect([answer.status, await answer.json()]).toEqual([502, { error: expect.stringContaining(words) }]);
  });

  it('is 502 when nobody listens at CALLING_AGENT_URL, and 504 when the agent is late', async () => {
    const silent = await startService({});
    silent.answer = () => undefined;
    const gone = await startService({});
    gone.close();
    for (const [callingAgentUrl, status, words] of [
      [silent.url, 504, 'did not answer within 0.2 s'],
      [gone.url, 502, 'it could not be reached (ECONNREFUSED)'],
    ] as const) {
      const { parts, close } = await campaignParts({ callingAgentUrl });
      const serving = await serveBackend({
        listen: { host: '127.0.0.1', port: 0 },
        name: 'campaign backend',
        services: () => undefined,
        plain: voiceRoutes(parts, { offerMs: 200, transcribeMs: 200 }),
        log: silentLog,
      });
      const answer = await fetch(`${serving.url}/voice/webrtc/offer`, {
        method: 'POST',
        headers: { 'content-type': 'application/sdp' },
        body: offer,
      });
      expect([answer.status, await answer.json()]).toEqual([
        status,
        { error: expect.stringContaining(words) },
      ]);
      await serving.close();
      await close();
    }
    silent.close();
  });
});

describe('POST /voice/transcribe (BCK-026)', () => {
  const pcm = Buffer.from(Int16Array.from({ length: 16_000 }, (_, at) => 3000 * Math.sin(at / 10)).buffer);

  it('sends the sound as WAV of 16 kHz, mono, 16 bits and answers the text (BCK-007)', async () => {
    speech.received.length = 0;
    const answer = await post('/voice/transcribe', new Uint8Array(pcm), 'application/octet-stream');
    expect([answer.status, await answer.json()]).toEqual([200, { text: 'hello there' }]);
    const [received] = speech.received;
    expect([received?.path, received?.headers.authorization]).toEqual([
      '/v1/audio/transcriptions',
      'Bearer speech-key',
    ]);
    const form = await new Response(new Uint8Array(received?.body ?? []), {
      headers: { 'content-type': received?.headers['content-type'] ?? '' },
    }).formData();
    expect(form.get('model')).toBe('whisper-large-v3');
    const file = form.get('file');
    if (!(file instanceof Blob)) throw new Error('there is no file');
    const wav = Buffer.from(await file.arrayBuffer());
    expect(wav.subarray(44).equals(pcm)).toBe(true);
    expect([
      wav.toString('latin1', 0, 4),
      wav.readUInt32LE(4),
      wav.toString('latin1', 8, 16),
      wav.readUInt16LE(20),
      wav.readUInt16LE(22),
      wav.readUInt32LE(24),
      wav.readUInt32LE(28),
      wav.readUInt16LE(32),
      wav.readUInt16LE(34),
      wav.readUInt32LE(40),
    ]).toEqual(['RIFF', wav.length - 8, 'WAVEfmt ', 1, 1, 16_000, 32_000, 2, 16, pcm.length]);
  });

  it('is refused with 401 without a session', async () => {
    speech.received.length = 0;
    const answer = await post('/voice/transcribe', new Uint8Array(pcm), 'application/octet-stream', {});
    expect([answer.status, speech.received.length]).toEqual([401, 0]);
  });

  it('is 503 in words while no speech-to-text service is configured', async () => {
    const bare = await startTestCampaign();
    const { accessToken } = await bare.signIn('mira@example.com');
    const answer = await bare.post('/voice/transcribe', {}, { authorization: `Bearer ${accessToken}` });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: expect.stringContaining('Set SPEECH_TO_TEXT_URL') },
    ]);
    await bare.close();
  });

  it.each([
    ['no sound', new Uint8Array(), 'application/octet-stream', 400],
    ['half a sample', new Uint8Array(3), 'application/octet-stream', 400],
    ['five minutes and a sample', new Uint8Array(9_600_002), 'application/octet-stream', 413],
    ['a form', new Uint8Array(4), 'multipart/form-data; boundary=x', 415],
    ['JSON', new Uint8Array(4), 'application/json', 415],
  ])('refuses %s', async (_, body, type, status) => {
    const answer = await post('/voice/transcribe', body, type);
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }]);
  });

  it('takes eight recordings at once and tells the ninth to try again', async () => {
    const usual = speech.answer;
    const waiting: ServerResponse[] = [];
    speech.answer = (response) => void waiting.push(response);
    const send = () => post('/voice/transcribe', new Uint8Array(2), 'application/octet-stream');
    const eight = Array.from({ length: 8 }, send);
    await expect.poll(() => waiting.length).toBe(8);
    const ninth = await send();
    expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([429, '2']);
    speech.answer = usual;
    for (const response of waiting) usual(response);
    expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 200),
    );
    expect((await send()).status).toBe(200);
  });

  it('is 502 in words when the service fails, without its key in the answer or the log', async () => {
    const usual = speech.answer;
    speech.answer = (response) => json(response, 401, { error: 'bad key speech-key' });
    const answer = await post('/voice/transcribe', new Uint8Array(2), 'application/octet-stream');
    speech.answer = usual;
    const text = await answer.text();
    expect([answer.status, text]).toEqual([502, expect.stringContaining('it answered with status 401')]);
    expect(text + JSON.stringify(campaign.log)).not.toContain('speech-key');
  });
});

describe(`${requestCountText} bodies of any form`, () => {
  const ask = async (path: string, type: string, body: Buffer | string): Promise<number> => {
    const answer = await request(`${campaign.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${token}` },
      body,
      dispatcher,
    });
    await answer.body.dump();
    return answer.statusCode;
  };

  it('as session descriptions are answered 200 or 400', async () => {
    await sweepRequests(fc.tuple(descriptions, fc.boolean()), async ([sdp, isPlain]) => {
      const status = isPlain
        ? await ask('/voice/webrtc/offer', 'application/sdp', Buffer.from(sdp))
        : await ask('/voice/webrtc/offer', 'application/json', JSON.stringify({ sdp, type: 'offer' }));
      expect([200, 400]).toContain(status);
    });
  });

  it('as recordings are answered 200 when they are whole samples, 400 otherwise', async () => {
    await sweepRequests(recordings, async (body) => {
      const status = await ask('/voice/transcribe', 'application/octet-stream', body);
      expect(status).toBe(body.length > 0 && body.length % 2 === 0 ? 200 : 400);
    });
  });
});
