import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webAddressOf } from '../../../../src-main/sources/code-host/index.ts';
import { codeHostAnswer } from '../../../../src-shared/api/code-host.ts';
import {
  confirmApp,
  repository,
  type SandboxCodeHost,
  startCodeHost,
  world,
} from '../../../support/code-host.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'created-app-'));
const other = 'grace@northgate.example';
let now = Date.UTC(2026, 10, 23, 9);
let host: Awaited<ReturnType<typeof startCodeHost>>;
let sandbox: SandboxCodeHost;
let console: TestConsole;
beforeAll(async () => {
  host = await startCodeHost({ world: world([repository({ name: 'campaign' })]), now: () => now });
  sandbox = host.sandbox;
});
beforeEach(async () => {
  console = await testConsole(
    { CONSOLE_SESSION_ADMINS: `ada@northgate.example,${other}` },
    { keeps: { folder: mkdtempSync(join(folder, 'data-')) } },
  );
  await post('/api/github', { api_url: sandbox.url });
  return () => console.close();
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true });
});

async function post(path: string, body: object, email?: string) {
  const cookie = await (email === undefined ? console.cookie() : console.cookieOf(email));
  const answer = await fetch(`${console.url}${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(text).not.toContain('PRIVATE KEY');
  return { status: answer.status, body: JSON.parse(text) };
}

const begin = async () => {
  const begun = await post('/api/github/app-manifest', {
    organisation: 'northgate',
    console_url: console.url,
  });
  expect(begun.status).toBe(200);
  return begun.body as { action: string; manifest: string; link: string };
};

async function returned(): Promise<{ code: string; state: string }> {
  const back = await confirmApp(await begin());
  expect(back.origin).toBe(console.url);
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
}

async function attachment() {
  const answer = await fetch(`${console.url}/api/github`, { headers: { cookie: await console.cookie() } });
  return codeHostAnswer.parse(await answer.json());
}

describe('an App created from a manifest', () => {
  it('is attached with its key, and read with at once', async () => {
    const created = await post('/api/github/created-app', await returned());
    expect(created).toMatchObject({ status: 200, body: { name: expect.any(String) } });
    expect(created.body.install_url).toMatch(/\/apps\/[\w-]+\/installations\/new$/);
    const { configured, installation, settings } = await attachment();
    expect(configured).toBe(true);
    expect(settings.private_key).toMatchObject({ set: true });
    expect(installation?.missing).toEqual([]);
  });

  it('asks for the right to read, and nothing else, without a webhook', async () => {
    const { manifest, link } = await begin();
    const asked = JSON.parse(manifest);
    expect(new Set(Object.values(asked.default_permissions))).toEqual(new Set(['read']));
    expect(asked).toMatchObject({ public: false });
    expect(asked).not.toHaveProperty('hook_attributes');
    const fields = new URL(link).searchParams;
    for (const permission of Object.keys(asked.default_permissions))
      expect(fields.get(permission)).toBe('read');
    // A link is copied and kept: what registers an App with this console is no part of it.
    expect(fields.has('state')).toBe(false);
  });

  it('is not attached by a link from somebody else, who has a code of their own', async () => {
    const { code } = await returned();
    const answer = await post('/api/github/created-app', { code, state: 'A'.repeat(43) });
    expect(answer).toMatchObject({ status: 422 });
    expect((await attachment()).configured).toBe(false);
  });

  it('is not attached by another admin than the one who began', async () => {
    const answer = await post('/api/github/created-app', await returned(), other);
    expect(answer).toMatchObject({ status: 422 });
    expect((await attachment()).configured).toBe(false);
  });

  it('is taken once, within an hour', async () => {
    const first = await returned();
    expect((await post('/api/github/created-app', first)).status).toBe(200);
    expect((await post('/api/github/created-app', first)).status).toBe(422);
    const late = await returned();
    now += 61 * 60_000;
    expect((await post('/api/github/created-app', late)).status).toBe(422);
  });

  it('keeps the App in use when the code host does not answer, or answers nonsense', async () => {
    expect((await post('/api/github/created-app', await returned())).status).toBe(200);
    const before = await attachment();
    for (const status of [500, 502, 503] as const) {
      const back = await returned();
      sandbox.fault({ kind: 'error', status, path: '/app-manifests/', times: 1 });
      expect(await post('/api/github/created-app', back)).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining('Nothing was changed') },
      });
    }
    sandbox.clearFaults();
    expect((await attachment()).settings).toEqual(before.settings);
  });

  it('may be handed to the code host by a form of this page, and to nobody else', async () => {
    const page = await fetch(`${console.url}/`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`form-action 'self' ${sandbox.url}`);
  });

  it.each([
    ['https://api.github.com', 'https://github.com/'],
    ['https://git.example.com/api/v3', 'https://git.example.com/'],
    ['https://api.northgate.ghe.com', 'https://northgate.ghe.com/'],
    ['https://api.ghe.com.evil.example', 'https://api.ghe.com.evil.example/'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/'],
  ])('%s has its pages at %s', (api, web) => {
    expect(webAddressOf(new URL(api)).href).toBe(web);
  });
});
