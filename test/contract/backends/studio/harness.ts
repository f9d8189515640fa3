import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { type Studio, type StudioOptions, startStudio } from '../../../../src-main/backends/studio/index.ts';
import { StudioService } from '../../../../src-shared/gen/studio/v1/studio_pb.js';

export const identityKey = Buffer.alloc(32, 7);
export const mira = 'mira.koch@example.com';
export const jon = 'jon@example.com';

/** Starts a studio on a free port with a store in memory. */
export const testStudio = (options: Partial<StudioOptions> = {}): Promise<Studio> =>
  startStudio({ listen: { host: '127.0.0.1', port: 0 }, identityKey, storeFile: ':memory:', ...options });

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What the console signs, with any part of it replaced. Written without a JWT library on purpose. */
export function assertion(
  email: string,
  changes: { claims?: object; head?: object; key?: Buffer; signature?: (input: string) => string } = {},
): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: 'console', sub: email, email, aud: 'studio', iat, exp: iat + 120, ...changes.claims };
  const input = `${encoded({ alg: 'HS256', ...changes.head })}.${encoded(claims)}`;
  const sign = (text: string) =>
    createHmac('sha256', changes.key ?? identityKey)
      .update(text)
      .digest('base64url');
  return `${input}.${(changes.signature ?? sign)(input)}`;
}

/** A client of the studio that acts for `email`, or brings exactly `headers`. */
export function clientOf(studio: Studio, who: string | { readonly headers: Record<string, string> }) {
  return createClient(
    StudioService,
    createGrpcWebTransport({
      baseUrl: studio.url,
      httpVersion: '1.1',
      interceptors: [
        (next) => (call) => {
          const headers = typeof who === 'string' ? { 'x-console-identity': assertion(who) } : who.headers;
          for (const [name, value] of Object.entries(headers)) call.header.set(name, value);
          return next(call);
        },
      ],
    }),
  );
}

export type StudioClient = ReturnType<typeof clientOf>;

/** Sends one message and reads the whole answer. */
export async function say(client: StudioClient, chatId: string, text: string) {
  const pieces: string[] = [];
  const cases: string[] = [];
  for await (const { event } of client.chat({ chatId, text })) {
    if (cases.at(-1) !== event.case) cases.push(event.case ?? '');
    if (event.case === 'text') pieces.push(event.value);
  }
  return { cases, pieces, text: pieces.join('') };
}

export async function newChat(client: StudioClient): Promise<string> {
  return (await client.openChat({})).chat?.id ?? '';
}

export type FakeInference = {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly body: unknown;
  }[];
  /** Resolves when a client ends its call before the answer ended. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
};

/** A server that speaks as much of the OpenAI-compatible protocol as `answer` writes. */
export async function fakeInference(
  answer: (response: ServerResponse, request: IncomingMessage) => void | Promise<void>,
): Promise<FakeInference> {
  const requests: FakeInference['requests'] = [];
  const abandoned = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    response.on('close', () => {
      if (!response.writableEnded) abandoned.resolve();
    });
    await answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    abandoned: abandoned.promise,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One event of a chat completion stream. */
export const completion = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: null }] })}\n\n`;
