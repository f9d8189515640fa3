import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleOf } from '../../../support/tar-bytes.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

let console_: TestConsole;
const sockets: Socket[] = [];
beforeEach(async () => {
  console_ = await testConsole();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await console_.close();
});

/** Begins an upload that never ends; answers with the status line, if one comes within a second. */
async function begun(cookie: string): Promise<string | undefined> {
  const { hostname, port } = new URL(console_.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  socket.write(
    `POST /api/bundles HTTP/1.1\r\nHost: ${console_.host}\r\nOrigin: ${console_.url}\r\nCookie: ${cookie}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\nx`,
  );
  await after(300);
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
}

async function upload(cookie: string): Promise<{ status: number; text: string; retryAfter: unknown }> {
  const { statusCode, body, headers } = await request(`${console_.url}/api/bundles`, {
    method: 'POST',
    headers: { cookie, origin: console_.url, 'content-type': 'application/octet-stream' },
    body: bundleOf({
      'pod.json': { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'b' } },
    }),
  });
  return { status: statusCode, text: await body.text(), retryAfter: headers['retry-after'] };
}

describe('uploads of bundles', () => {
  it('of one person are two at a time: a third is told to wait, another person is not', async () => {
    const karl = await console_.cookieOf('karl@example.com');
    expect(await Promise.all([begun(karl), begun(karl)])).toEqual([undefined, undefined]);
    const third = await upload(karl);
    expect(third).toMatchObject({ status: 429, retryAfter: '30' });
    expect(third.text).toContain('You are already uploading 2 bundles: wait for one to finish.');
    expect((await upload(await console_.cookieOf('rosa@example.com'))).status).toBe(200);
  });

  it('hold places of the eight bundles there may be, and give them back when they break off', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      const cookie = await console_.cookieOf(`${name}@example.com`);
      expect(await Promise.all([begun(cookie), begun(cookie)])).toEqual([undefined, undefined]);
    }
    const last = await console_.cookieOf('e@example.com');
    const refused = await upload(last);
    expect(refused).toMatchObject({ status: 503, retryAfter: '30' });
    expect(refused.text).toContain('0 bundles are open and 8 uploading, out of 8');
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(async () => (await upload(last)).status).toBe(200);
  });

  it('that come at once never open more than eight bundles', async () => {
    const cookies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => console_.cookieOf(`person-${i}@example.com`)),
    );
    const answers = await Promise.all(cookies.flatMap((cookie) => [upload(cookie), upload(cookie)]));
    const { body } = await request(`${console_.url}/api/bundles`, { headers: { cookie: cookies[0] ?? '' } });
    expect(JSON.parse(await body.text()).items.length).toBeLessThanOrEqual(8);
    for (const { status } of answers) expect([200, 409, 503]).toContain(status);
  });
});
