import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Studio } from '../../../../src-main/backends/studio/index.ts';
import {
  clientOf,
  completion,
  type FakeInference,
  fakeInference,
  mira,
  newChat,
  say,
  testStudio,
} from './harness.ts';

const answered =
  'Für die Häfen: 🙂 ein Plan.\n\nApp: `tide-board`\n\n1. Data: keep tides\n2. Screens: draw them';

describe('a studio with INFERENCE_REMOTE_URL', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  const started = async (
    answer: Parameters<typeof fakeInference>[0],
    options: { model?: string; apiKey?: string; silenceMs?: number } = {},
  ): Promise<{ studio: Studio; inference: FakeInference }> => {
    const inference = await fakeInference(answer);
    const studio = await testStudio({ inference: { url: inference.url, ...options } });
    open.push(studio, inference);
    return { studio, inference };
  };

  const failure = async (studio: Studio) => {
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    const error = await say(client, chatId, 'Plan tides').then(
      () => undefined,
      (reason: unknown) => ConnectError.from(reason),
    );
    const messages = (await client.openChat({ id: chatId })).messages;
    return { error, last: messages.at(-1) };
  };

  it('streams the answer of the model, names the model and takes the app from the answer', async () => {
    const { studio, inference } = await started(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const word of answered.split(/(?<= )/)) response.write(completion(word));
        response.end('data: [DONE]\n\n');
      },
      { model: 'qwen3', apiKey: 'key-1' },
    );
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    expect((await say(client, chatId, 'Plan tides')).text).toBe(answered);
    const opened = await client.openChat({ id: chatId });
    expect(opened.answeredBy).toBe('qwen3');
    expect(opened.chat?.project).toBe('tide-board');
    await say(client, chatId, 'And quays');
    const [first, second] = inference.requests;
    expect(first).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer key-1',
      body: { model: 'qwen3', stream: true },
    });
    expect(JSON.stringify(second?.body)).toContain('Plan tides');
    expect(second?.body).toMatchObject({ messages: { length: 4 } });
  });

  it('puts together characters, lines and events that are split over chunks', async () => {
    const { studio } = await started(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(
        `: keep-alive\r\n\r\n${completion(answered).replaceAll('\n', '\r\n')}data: [DONE]\r\n\r\n`,
      );
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const client = clientOf(studio, mira);
    expect((await say(client, await newChat(client), 'Plan tides')).text).toBe(answered);
  });

  it('ends UNAVAILABLE and names the variable when the endpoint answers 500, without its body or our key', async () => {
    const { studio } = await started(
      (response) => {
        response.writeHead(500).end('stack trace with key-1');
      },
      { apiKey: 'key-1' },
    );
    const { error, last } = await failure(studio);
    expect(error?.code).toBe(Code.Unavailable);
    expect(error?.rawMessage).toContain('INFERENCE_REMOTE_URL');
    expect(error?.rawMessage).toContain('status 500');
    expect(error?.rawMessage).not.toContain('key-1');
    expect(last).toMatchObject({ interrupted: true, text: '' });
  });

  it('ends UNAVAILABLE when the endpoint is silent, and stores what had arrived', async () => {
    const { studio, inference } = await started(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(completion('Half an ans'));
      },
      { silenceMs: 300 },
    );
    const { error, last } = await failure(studio);
    expect(error?.code).toBe(Code.Unavailable);
    expect(error?.rawMessage).toContain('silent for 0.3 s');
    expect(last).toMatchObject({ interrupted: true, text: 'Half an ans' });
    await inference.abandoned;
  });

  it('ends UNAVAILABLE when the stream is cut, is not JSON, reports an error, or redirects', async () => {
    const broken: readonly (readonly [Parameters<typeof fakeInference>[0], string])[] = [
      [(response) => void response.end(completion('Half')), 'ended before the answer did'],
      [(response) => void response.end('data: {oops\n\n'), 'not JSON'],
      [
        (response) => void response.end('data: {"error":{"message":"out of memory"}}\n\n'),
        'an error of its own',
      ],
      [
        (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        'INFERENCE_REMOTE_URL',
      ],
    ];
    for (const [answer, words] of broken) {
      const { studio } = await started(answer);
      const { error } = await failure(studio);
      expect(error?.code).toBe(Code.Unavailable);
      expect(error?.rawMessage).toContain(words);
    }
  });

  it('ends UNAVAILABLE when nothing listens at the address', async () => {
    const { studio, inference } = await started(() => {});
    await inference.close();
    open.pop();
    expect((await failure(studio)).error?.rawMessage).toContain('ECONNREFUSED');
  });

  it('ends the call to the endpoint when the person leaves, and stores the partial answer', async () => {
    const { studio, inference } = await started((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(completion('One step and'));
    });
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    const leave = new AbortController();
    await expect(async () => {
      for await (const { event } of client.chat({ chatId, text: 'Plan tides' }, { signal: leave.signal })) {
        if (event.case === 'text') leave.abort();
      }
    }).rejects.toThrow(/cancel/i);
    await inference.abandoned;
    await vi.waitFor(async () => {
      expect((await client.openChat({ id: chatId })).messages.at(-1)).toMatchObject({
        interrupted: true,
        text: 'One step and',
      });
    });
  });

  it('closes within 5 s while an answer hangs, telling the person why it ended', async () => {
    const { studio } = await started((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(completion('One'));
    });
    const client = clientOf(studio, mira);
    const answer = say(client, await newChat(client), 'Plan tides').catch((error: unknown) =>
      ConnectError.from(error),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = performance.now();
    await studio.close();
    expect(performance.now() - before).toBeLessThan(5000);
    expect(await answer).toMatchObject({
      code: Code.Unavailable,
      rawMessage: expect.stringContaining('stopping'),
    });
  });
});
