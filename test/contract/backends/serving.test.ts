import { once } from 'node:events';
import { connect } from 'node:net';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  answerJson,
  RouteRefused,
  readJson,
  type Serving,
  serveBackend,
  silentLog,
} from '../../../src-main/backends/serving/index.ts';
import { ModelService } from '../../../src-shared/gen/cockpit/v1/model_pb.js';
import { rawRequest } from '../../support/raw-request.ts';

// BCK-001 and BCK-002: one port for gRPC, gRPC-Web and the plain routes.

describe('the port of a backend', () => {
  let serving: Serving;
  /** Bodies that a route took for whole ones. */
  const taken: string[] = [];
  beforeAll(async () => {
    serving = await serveBackend({
      listen: { host: '127.0.0.1', port: 0 },
      name: 'test backend',
      services: (router) =>
        router.service(ModelService, {
          generate: ({ prompt }) => {
            if (prompt === '') throw new ConnectError('The prompt is empty.', Code.InvalidArgument);
            return { text: prompt.toUpperCase(), model: 'loud' };
          },
        }),
      plain: [
        {
          method: 'GET',
          path: '/health',
          answer: (_, response) => answerJson(response, 200, { status: 'ok' }),
        },
        {
          method: 'POST',
          path: '/echo',
          answer: async (request, response) => {
            const body = await readJson(request, z.object({ text: z.string() }));
            taken.push(body.text);
            answerJson(response, 200, body);
          },
        },
        {
          method: 'GET',
          path: '/media/*',
          answer: (_request, _response, rest) => {
            throw new RouteRefused(404, `There is no ${rest}.`);
          },
        },
      ],
      log: silentLog,
    });
  });
  afterAll(() => serving.close());

  const transports = {
    'gRPC over HTTP/2': () => createGrpcTransport({ baseUrl: serving.url }),
    'gRPC-Web over HTTP/1.1': () => createGrpcWebTransport({ baseUrl: serving.url, httpVersion: '1.1' }),
    'gRPC-Web over HTTP/2': () => createGrpcWebTransport({ baseUrl: serving.url, httpVersion: '2' }),
    'Connect over HTTP/1.1': () => createConnectTransport({ baseUrl: serving.url, httpVersion: '1.1' }),
    'Connect over HTTP/2': () => createConnectTransport({ baseUrl: serving.url, httpVersion: '2' }),
  };
  it.each(Object.entries(transports))('answers %s (BCK-001)', async (_, transport) => {
    const client = createClient(ModelService, transport());
    expect(await client.generate({ prompt: 'hello' })).toMatchObject({ text: 'HELLO', model: 'loud' });
    await expect(client.generate({ prompt: '' })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'The prompt is empty.',
    });
  });

  it('hands gRPC-Web content types to the gRPC server before any plain route is checked (BCK-002)', async () => {
    const answer = await fetch(`${serving.url}/health`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: new Uint8Array(5),
    });
    expect([answer.status, answer.headers.get('grpc-status'), await answer.text()]).toEqual([200, '12', '']);
    expect(await (await fetch(`${serving.url}/health`)).json()).toEqual({ status: 'ok' });
  });

  it.each([
    'POST / HTTP/1.0',
    'POST / HTTP/1.1\r\nHost: [',
    'POST /cockpit.v1.ModelService/Generate HTTP/1.0',
  ])('answers 400 to a call whose host cannot be read: %s', async (line) => {
    const bytes = `${line}\r\nContent-Type: application/grpc-web+proto\r\nConnection: close\r\n\r\n`;
    expect(await rawRequest(serving.url, bytes)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('tells the protocols apart when the first bytes come one by one', async () => {
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
    await once(socket, 'connect');
    for (const byte of 'GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n') {
      socket.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"ok"\}$/);
    const second = connect(Number(new URL(serving.url).port), '127.0.0.1');
    await once(second, 'connect');
    for (const byte of 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') {
      second.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    second.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    const [settings] = await once(second, 'data');
    expect((settings as Buffer)[3]).toBe(4);
    second.destroy();
  });

  it.each([
    ['an unknown path', 'GET', '/nothing', undefined, 404, 'The test backend has nothing at /nothing.'],
    ['another method', 'DELETE', '/health', undefined, 405, '/health takes GET, HEAD, not DELETE.'],
    ['a body that is no JSON', 'POST', '/echo', '{', 400, 'The body is no JSON in UTF-8.'],
    [
      'a body without its field',
      'POST',
      '/echo',
      '{}',
      400,
      'The body lacks a field, or one has another type.',
    ],
    ['a body too large', 'POST', '/echo', 'x'.repeat(70_000), 413, 'The request is larger than 65536 bytes.'],
    ['a name that is not there', 'GET', '/media/a%2Fb', undefined, 404, 'There is no a%2Fb.'],
  ])('refuses %s in words', async (_, method, path, body, status, error) => {
    const answer = await fetch(`${serving.url}${path}`, { method, ...(body === undefined ? {} : { body }) });
    expect([answer.status, await answer.json()]).toEqual([status, { error }]);
  });

  it('takes what came of a body for no whole one when its sender breaks it off, over HTTP/2 as over HTTP/1.1', async () => {
    taken.length = 0;
    // By hand: Node's own client ends what it has not ended before it resets it.
    const second = connect(Number(new URL(serving.url).port), '127.0.0.1');
    const frame = (type: number, flags: number, payload: Buffer, stream = 1) =>
      Buffer.concat([Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream]), payload]);
    const answered = (text: string): Promise<void> => {
      second.write(frame(6, 0, Buffer.from(text.padEnd(8)), 0));
      return new Promise((resolve) => {
        second.on('data', (chunk: Buffer) => {
          if (chunk.toString('latin1').includes(text)) resolve();
        });
      });
    };
    // Literal fields without indexing (RFC 7541, 6.2.2).
    const field = (name: string, value: string) =>
      Buffer.from(
        `\x00${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`,
        'latin1',
      );
    const fields = Buffer.concat([
      field(':method', 'POST'),
      field(':scheme', 'http'),
      field(':path', '/echo'),
      field(':authority', 'x'),
      field('content-type', 'application/json'),
    ]);
    second.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    second.write(frame(4, 0, Buffer.alloc(0), 0));
    second.write(frame(1, 4, fields));
    second.write(frame(0, 0, Buffer.from('{"text":"half"}')));
    // A PING is answered once all before it was read.
    await answered('before');
    second.write(frame(3, 0, Buffer.from([0, 0, 0, 8])));
    await answered('after it');
    second.destroy();

    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
    const head =
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n';
    await new Promise((resolve) => socket.write(`${head}{"text":"half"}`, resolve));
    socket.destroy();
    await once(socket, 'close');
    const after = await fetch(`${serving.url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"after"}',
    });
    expect(after.status).toBe(200);
    expect(taken).toEqual(['after']);
  });

  it('answers HEAD as GET without its body', async () => {
    const answer = await fetch(`${serving.url}/health`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '15',
      '',
    ]);
  });
});
