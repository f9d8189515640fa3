import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium, noChromium } from '../../support/chromium.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { type StreamingService, startStreamingService } from '../../support/streaming-service.ts';

/** What a page does with Google's client: one unary call and one server stream, messages by protobuf-es. */
const pageScript = `
import { GrpcWebClientBase, MethodDescriptor } from 'grpc-web';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ChatRequestSchema, ChatResponseSchema, OpenChatRequestSchema, OpenChatResponseSchema } from './src-shared/gen/studio/v1/studio_pb.js';
const method = (name, kind, request, response) => new MethodDescriptor('/studio.v1.StudioService/' + name, kind, Object, Object,
  (message) => toBinary(request, message), (bytes) => fromBinary(response, bytes));
globalThis.run = (format) => new Promise((resolve, reject) => {
  const client = new GrpcWebClientBase({ format });
  const open = method('OpenChat', 'unary', OpenChatRequestSchema, OpenChatResponseSchema);
  client.rpcCall(location.origin + '/studio.v1.StudioService/OpenChat', create(OpenChatRequestSchema, { id: 'repo-a' }), {}, open, (error, answer) => {
    if (error) return reject(new Error('unary: ' + error.message));
    if (format === 'binary') return resolve({ unary: answer.answeredBy });
    const chat = method('Chat', 'server_streaming', ChatRequestSchema, ChatResponseSchema);
    const stream = client.serverStreaming(location.origin + '/studio.v1.StudioService/Chat', create(ChatRequestSchema, { text: 'one two three four' }), {}, chat);
    const words = [], at = [];
    stream.on('data', (message) => { words.push(message.event.value); at.push(performance.now()); });
    stream.on('error', (e) => reject(new Error('stream: ' + e.message)));
    stream.on('end', () => resolve({ unary: answer.answeredBy, words, spread: at.at(-1) - at[0] }));
  });
});
`;

describe.skipIf(chromiumPath === undefined)(
  `Google's own grpc-web client (${chromiumPath ?? noChromium})`,
  () => {
    let service: StreamingService;
    beforeAll(async () => {
      const { outputFiles } = await build({
        stdin: { contents: pageScript, resolveDir: repoRoot },
        bundle: true,
        write: false,
        format: 'iife',
        logLevel: 'error',
      });
      service = await startStreamingService(`<!doctype html><script>${outputFiles[0]?.text}</script>`);
    });
    afterAll(() => service.close());

    const run = async (format: 'binary' | 'text') => {
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await page.goto(service.url);
        return await page.evaluate(`run('${format}')`);
      } finally {
        await browser.close();
      }
    };

    it('calls a method in binary mode', async () => {
      expect(await run('binary')).toEqual({ unary: 'opened repo-a' });
    });

    it('calls a method and streams in text mode, message by message', async () => {
      const result = (await run('text')) as { unary: string; words: string[]; spread: number };
      expect(result).toMatchObject({ unary: 'opened repo-a', words: ['one', 'two', 'three', 'four'] });
      expect(result.spread).toBeGreaterThan(100);
    });
  },
);
