import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startSandboxVoice } from '../../../../src-main/sandbox/voice/index.ts';
import { speak, transcribe } from '../../../../src-main/sources/speech/index.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';
import { resampled } from '../../../support/wav-bytes.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Asked = { readonly path: string; readonly authorization: string | undefined; readonly body: Buffer };

/** A speech service that answers as the test says, and what it was asked. */
async function service(
  answer: (response: ServerResponse, asked: Asked, request: IncomingMessage) => void,
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: Buffer.concat(pieces),
      };
      asked.push(one);
      answer(response, one, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, asked };
}

async function open(
  env: Readonly<Record<string, string>>,
): Promise<{ console_: TestConsole; cookie: string }> {
  const console_ = await testConsole(env);
  closing.push(() => console_.close());
  return { console_, cookie: await console_.cookie() };
}

const say = (console_: TestConsole, cookie: string, text: string, signal?: AbortSignal) =>
  fetch(`${console_.url}/api/tts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ text }),
    ...(signal === undefined ? {} : { signal }),
  });
const write = (console_: TestConsole, cookie: string, body: Uint8Array, type = 'audio/wav') =>
  fetch(`${console_.url}/api/stt`, {
    method: 'POST',
    headers: { 'content-type': type, cookie },
    body: Buffer.from(body),
  });
const errorOf = async (response: Response): Promise<string> => {
  const body: { error?: string } = JSON.parse(await response.text());
  return body.error ?? '';
};

describe('POST /api/tts (CON-081)', () => {
  it('streams what the service at TTSD_URL says, before that has ended', async () => {
    let finish = (): void => undefined;
    const { url, asked } = await service((response) => {
      response.writeHead(200, { 'content-type': 'audio/x-wav' });
      response.write('RIFF');
      finish = () => response.end('data');
    });
    const { console_, cookie } = await open({ TTSD_URL: `${url}/v1`, TTSD_API_KEY: 'tts-key' });
    const response = await say(console_, cookie, ' Three nodes are not ready. ');
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('RIFF');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data');
    expect(asked).toEqual([
      { path: '/v1/audio/speech', authorization: 'Bearer tts-key', body: expect.any(Buffer) },
    ]);
    expect(JSON.parse(String(asked[0]?.body))).toMatchObject({
      input: 'Three nodes are not ready.',
      response_format: 'wav',
    });
  });

  it('names TTSD_URL while it is not set', async () => {
    const { console_, cookie } = await open({});
    const response = await say(console_, cookie, 'Hello');
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toContain('TTSD_URL is not set');
  });

  it('takes 1 to 4,000 characters', async () => {
    const { url } = await service((response) =>
      response.writeHead(200, { 'content-type': 'audio/wav' }).end('RIFF'),
    );
    const { console_, cookie } = await open({ TTSD_URL: url });
    expect((await say(console_, cookie, 'a'.repeat(4_000))).status).toBe(200);
    expect((await say(console_, cookie, 'a'.repeat(4_001))).status).toBe(400);
    expect((await say(console_, cookie, ' \n ')).status).toBe(400);
  });

  it.each([
    [
      'an error',
      (response: ServerResponse) => void response.writeHead(500).end('secret words'),
      'status 500',
    ],
    [
      'a page',
      (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'no sound',
    ],
    [
      'nothing',
      (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(),
      'empty sound',
    ],
    [
      'another address',
      (response: ServerResponse) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      'could not be reached',
    ],
    ['a cut connection', (response: ServerResponse) => void response.destroy(), 'could not be reached'],
  ])('says so when the service answers with %s', async (_name, answer, words) => {
    const { url } = await service(answer);
    const { console_, cookie } = await open({ TTSD_URL: url, TTSD_API_KEY: 'tts-key' });
    const response = await say(console_, cookie, 'Hello');
    expect(response.status).toBe(503);
    const error = await errorOf(response);
    expect(error).toContain(words);
    expect(error).not.toMatch(/secret words|tts-key/);
  });

  it('cuts the sound when the service stops in the middle, so that half is not taken for all', async () => {
    const { url } = await service((response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' }).write('RIFF');
      setTimeout(() => response.destroy(), 20);
    });
    const { console_, cookie } = await open({ TTSD_URL: url });
    const response = await say(console_, cookie, 'Hello');
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('gives up on a service that does not answer in time', async () => {
    const { url } = await service(() => undefined);
    const patience = { firstByteMs: 50, wholeSpeechMs: 1_000 };
    const late = speak(
      { url: new URL(url), key: undefined },
      'Hello',
      new AbortController().signal,
      patience,
    );
    await expect(late).rejects.toThrow('did not answer in time');
    const recording = { type: 'audio/wav', bytes: Buffer.from('RIFF') } as const;
    await expect(
      transcribe({ url: new URL(url), key: undefined }, recording, new AbortController().signal, 50),
    ).rejects.toThrow('did not answer in time');
  });

  it('stops the service when the listener leaves, and has its place free again', async () => {
    let left = 0;
    const { url } = await service((response, _asked, request) => {
      request.socket.on('close', () => {
        left += 1;
      });
      response.writeHead(200, { 'content-type': 'audio/wav' }).write('RIFF');
    });
    const { console_, cookie } = await open({ TTSD_URL: url });
    for (let round = 1; round <= 6; round += 1) {
      const leave = new AbortController();
      expect((await say(console_, cookie, 'Hello', leave.signal)).status).toBe(200);
      leave.abort();
      await expect.poll(() => left).toBe(round);
    }
  });
});

describe('POST /api/stt (CON-082)', () => {
  it('answers with what the service at VOICE_REMOTE_URL wrote down', async () => {
    const { url, asked } = await service((response) =>
      response.end(JSON.stringify({ text: ' what needs attention\n' })),
    );
    const { console_, cookie } = await open({ VOICE_REMOTE_URL: url, VOICE_REMOTE_API_KEY: 'stt-key' });
    const response = await write(console_, cookie, Buffer.from('RIFF-recording'));
    expect(await response.json()).toEqual({ text: 'what needs attention' });
    expect(asked[0]).toMatchObject({ path: '/v1/audio/transcriptions', authorization: 'Bearer stt-key' });
    expect(String(asked[0]?.body)).toContain('RIFF-recording');
  });

  it('takes sound only, 25 MB at most, and names VOICE_REMOTE_URL while it is not set', async () => {
    const { url, asked } = await service((response) => response.end('{"text":""}'));
    const { console_, cookie } = await open({ VOICE_REMOTE_URL: url });
    expect((await write(console_, cookie, Buffer.alloc(25 * 1024 * 1024, 1))).status).toBe(200);
    const before = asked.length;
    expect((await write(console_, cookie, Buffer.alloc(25 * 1024 * 1024 + 1, 1))).status).toBe(413);
    expect((await write(console_, cookie, Buffer.from('{}'), 'application/json')).status).toBe(415);
    expect((await write(console_, cookie, Buffer.from('x'), 'audio/midi')).status).toBe(415);
    expect((await write(console_, cookie, Buffer.alloc(0))).status).toBe(400);
    expect(asked.length).toBe(before);
    const unset = await open({});
    const response = await write(unset.console_, unset.cookie, Buffer.from('RIFF'));
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toContain('VOICE_REMOTE_URL is not set');
  });

  it.each([
    ['an error', 500, 'secret words', 'status 500'],
    ['no JSON', 200, 'secret words', 'no transcript'],
    ['another shape', 200, '{"words":"secret words"}', 'no transcript'],
    ['too much', 200, JSON.stringify({ text: 'x'.repeat(300_000) }), 'more than'],
    ['a refusal of the format', 415, '{}', 'cannot read this recording (audio/wav)'],
  ])('says so when the service answers with %s', async (_name, status, body, words) => {
    const { url } = await service((response) => void response.writeHead(status).end(body));
    const { console_, cookie } = await open({ VOICE_REMOTE_URL: url });
    const response = await write(console_, cookie, Buffer.from('RIFF'));
    expect(response.status).toBe(503);
    const error = await errorOf(response);
    expect(error).toContain(words);
    expect(error).not.toContain('secret words');
  });

  it('writes four recordings at once and tells others to wait', async () => {
    const held: ServerResponse[] = [];
    const { url } = await service((response) => void held.push(response));
    const { console_, cookie } = await open({ VOICE_REMOTE_URL: url });
    const first = Array.from({ length: 4 }, () => write(console_, cookie, Buffer.from('RIFF')));
    await expect.poll(() => held.length).toBe(4);
    const fifth = await write(console_, cookie, Buffer.from('RIFF'));
    expect(fifth.status).toBe(429);
    expect(fifth.headers.get('retry-after')).toBe('2');
    for (const response of held) response.end('{"text":"done"}');
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

const engines = await startSandboxVoice();
await engines.close();
const missing =
  engines.missing.length === 0 ? '' : ` (skipped: not installed: ${engines.missing.join(', ')})`;

describe.skipIf(missing !== '')(`the sandbox's speech services, on real engines${missing}`, () => {
  it.each(['what needs attention', 'which pods are failing', 'show the nodes', 'daily brief'])(
    'says "%s", and writes down what it said (CON-081, CON-082)',
    async (sentence) => {
      const voice = await startSandboxVoice();
      closing.push(() => voice.close());
      const { console_, cookie } = await open({
        TTSD_URL: voice.ttsUrl ?? '',
        VOICE_REMOTE_URL: voice.sttUrl ?? '',
      });
      const spoken = Buffer.from(await (await say(console_, cookie, sentence)).arrayBuffer());
      expect(spoken.toString('latin1', 0, 4)).toBe('RIFF');
      const response = await write(console_, cookie, resampled(spoken, 16_000));
      expect(await response.json()).toEqual({ text: sentence });
    },
  );

  it('says that a recording of another kind cannot be read', async () => {
    const voice = await startSandboxVoice();
    closing.push(() => voice.close());
    const { console_, cookie } = await open({ VOICE_REMOTE_URL: voice.sttUrl ?? '' });
    const response = await write(console_, cookie, Buffer.alloc(100), 'audio/webm');
    expect(await errorOf(response)).toContain('cannot read this recording (audio/webm)');
  });
});

it('has no voice without its engines, and names the packages', async () => {
  const voice = await startSandboxVoice('/nowhere');
  closing.push(() => voice.close());
  expect(voice).toMatchObject({
    ttsUrl: undefined,
    sttUrl: undefined,
    missing: ['espeak-ng', 'pocketsphinx', 'pocketsphinx-en-us'],
  });
});
