import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  campaignClientId,
  startCampaignIssuer,
  startTestCampaign,
  type TestCampaign,
} from '../../../support/campaign.ts';
import { rawRequest } from '../../../support/raw-request.ts';

// BCK-019 to BCK-030: every plain route, by who may call it.

const issuer = startCampaignIssuer();
afterAll(async () => (await issuer).close());

const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' };
const removers: (() => unknown)[] = [];
afterEach(async () => {
  for (const remove of removers.splice(0).reverse()) await remove();
});
async function start(env: Readonly<Record<string, string>> = {}): Promise<TestCampaign> {
  const campaign = await startTestCampaign(env, await issuer);
  removers.push(campaign.close);
  return campaign;
}

/** A model endpoint on loopback. */
async function modelEndpoint(answer: RequestListener): Promise<{ url: string; close(): Promise<unknown> }> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the plain routes of the campaign backend', () => {
  let campaign: TestCampaign;
  beforeAll(async () => {
    campaign = await startTestCampaign(
      {
        ...admin,
        CAMPAIGN_PUBLIC_BASE_URL: 'https://campaign.example',
        TWILIO_AUTH_TOKEN: 'a token of this test only',
      },
      await issuer,
    );
  });
  afterAll(() => campaign.close());

  const open: readonly (readonly [string, string])[] = [
    ['GET', '/health'],
    ['GET', '/auth/config'],
    ['GET', '/podcast/feed.xml'],
    ['GET', '/.well-known/agent-card.json'],
  ];
  it.each(open)('answers %s %s to anybody (BCK-042)', async (method, path) => {
    const answer = await fetch(`${campaign.url}${path}`, { method });
    expect(answer.status).toBe(200);
    expect((await fetch(`${campaign.url}${path}`, { method: 'HEAD' })).status).toBe(200);
  });

  const gated: readonly (readonly [string, string, string, readonly number[]])[] = [
    ['POST', '/auth/google', 'the sign-in itself', [400]],
    ['POST', '/auth/refresh', 'refresh token', [400]],
    ['GET', '/creatives/a.png', 'owner’s session or a server-signed URL', [401]],
    ['GET', '/media/a.png', 'owner’s session or a server-signed URL', [401]],
    ['POST', '/voice/webrtc/offer', 'session', [401]],
    ['POST', '/voice/transcribe', 'session', [401]],
    ['POST', '/a2a', 'session, bearer header only', [401]],
    ['POST', '/twilio/message', 'messaging-provider request signature', [401, 403]],
  ];
  it.each(gated)('refuses %s %s to who brings nothing: %s (BCK-042)', async (method, path, _, statuses) => {
    const type = path === '/twilio/message' ? 'application/x-www-form-urlencoded' : 'application/json';
    const answer = await fetch(`${campaign.url}${path}`, {
      method,
      ...(method === 'POST' ? { body: '{}', headers: { 'content-type': type } } : {}),
    });
    expect(statuses).toContain(answer.status);
    expect(await answer.text()).toMatch(/\w/);
  });

  it('answers 405 with the methods a route takes', async () => {
    const answer = await fetch(`${campaign.url}/auth/google`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await campaign.post('/health', {})).headers.get('allow')).toBe('GET, HEAD');
  });

  it('answers 503 to an offer while CALLING_AGENT_URL is unset (BCK-051)', async () => {
    const { accessToken } = await campaign.signIn('mira.koch@example.com');
    const answer = await campaign.post(
      '/voice/webrtc/offer',
      { type: 'offer', sdp: 'v=0\r\n' },
      { authorization: `Bearer ${accessToken}` },
    );
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: expect.stringContaining('CALLING_AGENT_URL') },
    ]);
  });

  it.each(['/campaigns', '/leads', '/content', '/campaign', '/health/x', '/twilio'])(
    'has no data API beside gRPC: %s is 404 (BCK-001)',
    async (path) => {
      const answer = await fetch(`${campaign.url}${path}`);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: `The campaign backend has nothing at ${path}.` },
      ]);
    },
  );

  it('hands gRPC-Web content types to gRPC before any plain route (BCK-002)', async () => {
    for (const path of ['/health', '/auth/refresh', '/twilio/message']) {
      const answer = await fetch(`${campaign.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/grpc-web+proto' },
        body: new Uint8Array(5),
      });
      expect([answer.status, answer.headers.get('grpc-status')]).toEqual([200, '12']);
    }
  });

  it('answers the login screen’s configuration: google_client_id and password_auth (BCK-006, BCK-020)', async () => {
    const answer = await fetch(`${campaign.url}/auth/config`);
    expect(await answer.json()).toEqual({ google_client_id: campaignClientId, password_auth: true });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['a body of another kind', 'text/plain', 'hello', 400],
    ['a list', 'application/json', '[]', 400],
    ['a number for the token', 'application/json', '{"refresh_token":1}', 400],
    ['no token', 'application/json', '{}', 400],
    ['bytes that are no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['a body above 64 KB', 'application/json', `{"refresh_token":"${'x'.repeat(70_000)}"}`, 413],
    ['a token nobody gave', 'application/json', '{"refresh_token":"x"}', 401],
    ['a token nobody gave, in the other spelling', 'application/json', '{"refreshToken":"x"}', 401],
  ])('refuses POST /auth/refresh with %s (BCK-022)', async (_, type, body, status) => {
    const answer = await fetch(`${campaign.url}/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }]);
  });
});

describe('GET /health (BCK-005, BCK-019)', () => {
  const health = z.strictObject({ status: z.literal('ok'), model_ready: z.boolean(), port: z.int() });
  const read = async (campaign: TestCampaign): Promise<boolean> => {
    const answer = await fetch(`${campaign.url}/health`);
    expect(answer.status).toBe(200);
    const { model_ready, port } = health.parse(await answer.json());
    expect(port).toBe(campaign.port);
    return model_ready;
  };

  it.each<readonly [string, boolean, RequestListener]>([
    ['lists a model', true, (_, response) => response.end('{"data":[{"id":"m"}]}')],
    ['lists none', false, (_, response) => response.end('{"data":[]}')],
    ['answers 500', false, (_, response) => response.writeHead(500).end('{"data":[{"id":"m"}]}')],
    ['answers a page', false, (_, response) => response.end('<html>')],
    ['redirects', false, (_, response) => response.writeHead(302, { location: '/v1/models' }).end()],
    ['says nothing', false, () => undefined],
  ])(
    'answers 200 and the port always; when the model endpoint %s, model_ready is %s',
    async (_, ready, answer) => {
      const endpoint = await modelEndpoint((request, response) => {
        if (request.url === '/v1/models') answer(request, response);
        else response.writeHead(404).end();
      });
      removers.push(endpoint.close);
      expect(await read(await start({ INFERENCE_REMOTE_URL: endpoint.url }))).toBe(ready);
    },
  );

  it('is not model_ready without INFERENCE_REMOTE_URL, or when nothing listens there', async () => {
    expect(await read(await start())).toBe(false);
    const gone = await modelEndpoint(() => undefined);
    await gone.close();
    expect(await read(await start({ INFERENCE_REMOTE_URL: `${gone.url}/v1` }))).toBe(false);
  });

  it('asks the model endpoint at most every 10 s, in the background', async () => {
    let asked = 0;
    const endpoint = await modelEndpoint((_, response) => {
      asked += 1;
      response.end(asked === 1 ? '{"data":[{"id":"m"}]}' : '{"data":[]}');
    });
    removers.push(endpoint.close);
    const campaign = await start({ INFERENCE_REMOTE_URL: endpoint.url });
    expect(await Promise.all(Array.from({ length: 20 }, () => read(campaign)))).toEqual(
      Array.from({ length: 20 }, () => true),
    );
    expect(asked).toBe(1);
    campaign.advance(10_000);
    expect(await read(campaign)).toBe(true);
    await vi.waitFor(async () => expect(await read(campaign)).toBe(false));
    expect(asked).toBe(2);
  });
});

describe('anything else: the web app of CAMPAIGN_WEB_DIR (BCK-030)', () => {
  let folder: string;
  let campaign: TestCampaign;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'campaign-web-'));
    const web = join(folder, 'web');
    mkdirSync(join(web, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'secret.txt'), 'a secret beside the web app');
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>Campaign</title>');
    writeFileSync(join(web, 'assets', 'app one.js'), 'export const app = 1;');
    writeFileSync(join(web, 'assets', 'app.css'), 'body {}');
    writeFileSync(join(web, 'assets', 'raw.bin'), Buffer.from([0, 1, 2]));
    writeFileSync(join(web, '.env'), 'a secret within it');
    symlinkSync(join(folder, 'secret.txt'), join(web, 'linked.txt'));
    symlinkSync(folder, join(web, 'up'));
    campaign = await startTestCampaign({ CAMPAIGN_WEB_DIR: web }, await issuer);
  });
  afterAll(async () => {
    await campaign.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/campaigns/c-1?tab=leads', 'text/html; charset=utf-8', '<!doctype html>'],
    ['/assets/app%20one.js', 'text/javascript; charset=utf-8', 'export const'],
    ['/assets/app.css', 'text/css; charset=utf-8', 'body {}'],
    ['/assets/raw.bin', 'application/octet-stream', '\0'],
  ])('answers %s', async (path, type, starts) => {
    const answer = await fetch(`${campaign.url}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await answer.text();
    expect(text.startsWith(starts)).toBe(true);
    const head = await fetch(`${campaign.url}${path}`, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(text.length), '']);
    const etag = answer.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await fetch(`${campaign.url}${path}`, { headers: { 'if-none-match': known } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/linked.txt',
    '/up/secret.txt',
    '/.env',
    '/web/../../secret.txt',
    '/secret.txt%00.html',
    '/%c0%ae%c0%ae/secret.txt',
    '/__proto__',
    '/%zz',
  ])('leads nowhere out of its folder: %s', async (path) => {
    const answer = await rawRequest(
      campaign.url,
      `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|404) /);
    expect(answer).not.toContain('secret beside');
    expect(answer).not.toContain('secret within');
  });

  it('answers 404 for a file it has not, and 405 for what is no reading', async () => {
    const missing = await fetch(`${campaign.url}/assets/none.js`);
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { error: 'The web app has nothing at /assets/none.js.' },
    ]);
    expect((await campaign.post('/', {})).status).toBe(405);
  });

  it('leaves the plain routes what they are', async () => {
    expect(await (await fetch(`${campaign.url}/health`)).json()).toMatchObject({ status: 'ok' });
    expect((await fetch(`${campaign.url}/media/a.png`)).status).toBe(401);
  });
});
