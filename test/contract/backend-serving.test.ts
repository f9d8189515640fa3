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
} from '../../src-main/backends/serving/index.ts';
import { ModelService } from '../../src-shared/gen/cockpit/v1/model_pb.js';

// spec/backends.md, "What the service does" 1 and 2: one port for gRPC, gRPC-Web and the plain routes.

describe('the port of a backend', () => {
  let serving: Serving;
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
          answer: async (request, response) =>
            answerJson(response, 200, await readJson(request, z.object({ text: z.string() }))),
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
  it.each(Object.entries(transports))('answers %s', async (_, transport) => {
    const client = createClient(ModelService, transport());
    expect(await client.generate({ prompt: 'hello' })).toMatchObject({ text: 'HELLO', model: 'loud' });
    await expect(client.generate({ prompt: '' })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'The prompt is empty.',
    });
  });

  it('hands gRPC-Web content types to the gRPC server before any plain route is checked', async () => {
    const answer = await fetch(`${serving.url}/health`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: new Uint8Array(5),
    });
    expect([answer.status, await answer.text()]).toEqual([404, '']);
    expect(await (await fetch(`${serving.url}/health`)).json()).toEqual({ status: 'ok' });
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
    const http2 = connect(Number(new URL(serving.url).port), '127.0.0.1');
    await once(http2, 'connect');
    for (const byte of 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') {
      http2.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    http2.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    const [settings] = await once(http2, 'data');
    expect((settings as Buffer)[3]).toBe(4);
    http2.destroy();
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

  it('answers HEAD as GET without its body', async () => {
    const answer = await fetch(`${serving.url}/health`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '15',
      '',
    ]);
  });
});
