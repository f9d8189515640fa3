import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { codeHostAnswer } from '../../../../src-shared/api/code-host.ts';
import { settingsAnswer } from '../../../../src-shared/api/settings.ts';
import { repository, type SandboxCodeHost, startCodeHost, world } from '../../../support/code-host.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';
import { listen } from '../studio/proxy-harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'code-host-attach-'));
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function sandboxHost(): Promise<SandboxCodeHost> {
  const { sandbox, close } = await startCodeHost({ world: world([repository({ name: 'campaign' })]) });
  opened.push(close);
  return sandbox;
}

async function keepingConsole(env: Record<string, string> = {}): Promise<TestConsole & { file: string }> {
  const data = mkdtempSync(join(folder, 'data-'));
  const console = await testConsole(env, { keeps: { folder: data } });
  opened.push(() => console.close());
  return Object.assign(console, { file: join(data, 'settings.json') });
}

async function read(console: TestConsole) {
  const answer = await fetch(`${console.url}/api/github`, { headers: { cookie: await console.cookie() } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toContain('PRIVATE KEY');
  return codeHostAnswer.parse(JSON.parse(text));
}

async function attach(console: TestConsole, body: object) {
  const answer = await fetch(`${console.url}/api/github`, {
    method: 'POST',
    headers: { cookie: await console.cookie(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { error?: string } };
}

const wanted = (sandbox: SandboxCodeHost) => ({
  app_id: sandbox.appId,
  api_url: sandbox.url,
  private_key: sandbox.privateKey,
});

/** An address of somebody's choice, which remembers whether anything came. */
async function elsewhere() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  const port = await listen(server);
  opened.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

describe('the key of the App', () => {
  it('is not sent to another address than it was given for, whoever asks: it has to be given again', async () => {
    const [sandbox, other, console] = [await sandboxHost(), await elsewhere(), await keepingConsole()];
    await attach(console, wanted(sandbox));
    const refused = await attach(console, { api_url: other.url });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('Give the key again with the new address') },
    });
    expect(refused.body.error).toContain(new URL(sandbox.url).host);
    const changed = await fetch(`${console.url}/api/settings`, {
      method: 'PUT',
      headers: { cookie: await console.cookie(), 'content-type': 'application/json' },
      body: JSON.stringify({ values: { CONSOLE_GITHUB_API_URL: other.url } }),
    });
    const { keys } = settingsAnswer.parse(await changed.json());
    expect(keys.find(({ name }) => name === 'CONSOLE_GITHUB_PRIVATE_KEY')).toMatchObject({
      set: false,
      withheld: expect.stringMatching(
        /was entered for .*: enter it again, or set CONSOLE_GITHUB_API_URL back/,
      ),
    });
    expect((await read(console)).configured).toBe(false);
    expect(other.requests()).toBe(0);
    expect(await attach(console, { api_url: `${sandbox.url}/` })).toMatchObject({ status: 200 });
    expect((await read(console)).configured).toBe(true);
  });

  it('of the environment is not sent to an address that is set here', async () => {
    const [sandbox, other] = [await sandboxHost(), await elsewhere()];
    const console = await keepingConsole({
      CONSOLE_GITHUB_PRIVATE_KEY: sandbox.privateKey,
      CONSOLE_GITHUB_APP_ID: sandbox.appId,
    });
    const refused = await attach(console, { api_url: other.url });
    expect(refused.status).toBe(422);
    const changed = await fetch(`${console.url}/api/settings`, {
      method: 'PUT',
      headers: { cookie: await console.cookie(), 'content-type': 'application/json' },
      body: JSON.stringify({ values: { CONSOLE_GITHUB_API_URL: other.url } }),
    });
    expect([changed.status, await changed.text()]).toEqual([
      422,
      expect.stringContaining('Set CONSOLE_GITHUB_API_URL in the environment, too'),
    ]);
    expect(other.requests()).toBe(0);
  });
});

describe('attaching to the code host', () => {
  it('is in effect at once, tells the installation and its quota, and never answers the key (CON-124)', async () => {
    const [sandbox, console] = [await sandboxHost(), await keepingConsole()];
    expect(await read(console)).toMatchObject({ configured: false, source: 'unavailable' });
    expect(await attach(console, wanted(sandbox))).toMatchObject({ status: 200 });
    const studio = await fetch(`${console.url}/api/studio`, { headers: { cookie: await console.cookie() } });
    expect(await studio.json()).toMatchObject({ source: 'github', org: 'northgate' });
    expect(await read(console)).toMatchObject({
      configured: true,
      source: 'github',
      settings: {
        app_id: { value: sandbox.appId, source: 'settings', settable: true },
        installation_id: { source: 'default' },
        private_key: { set: true, source: 'sealed', settable: true },
      },
      app: { id: Number(sandbox.appId), name: 'northgate-console' },
      installation: {
        id: sandbox.installationId,
        organisation: 'northgate',
        repositories: 'all',
        missing: [],
      },
      quota: { limit: 5000, reserve: 1000 },
    });
  });

  it('keeps nothing when the code host does not accept the key, and says why', async () => {
    const [sandbox, console] = [await sandboxHost(), await keepingConsole()];
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const { status, body } = await attach(console, { ...wanted(sandbox), private_key: privateKey });
    expect([status, body.error]).toEqual([
      422,
      expect.stringMatching(/^Nothing was changed: the code host does not know this App/),
    ]);
    const after = await read(console);
    expect([after.configured, after.settings.private_key.set, after.settings.app_id.source]).toEqual([
      false,
      false,
      'unset',
    ]);
  });

  it('refuses an address without TLS that is not this machine, before it sends anything there', async () => {
    const [sandbox, console] = [await sandboxHost(), await keepingConsole()];
    const { status, body } = await attach(console, { ...wanted(sandbox), api_url: 'http://github.example' });
    expect([status, body.error]).toEqual([400, expect.stringContaining('use https')]);
  });

  it('refuses to change what the environment sets', async () => {
    const sandbox = await sandboxHost();
    const console = await keepingConsole({ CONSOLE_GITHUB_APP_ID: '12' });
    const { status, body } = await attach(console, wanted(sandbox));
    expect([status, body.error]).toEqual([409, expect.stringContaining('CONSOLE_GITHUB_APP_ID')]);
  });

  it('writes a record that names the organisation, and never the key', async () => {
    const [sandbox, console] = [await sandboxHost(), await keepingConsole()];
    await attach(console, wanted(sandbox));
    const rows = await console.store.db.selectFrom('audit_records').selectAll().execute();
    const record = rows.map((row) => JSON.stringify(row)).find((row) => row.includes('code_host.attach'));
    expect(record).toContain('Attached to northgate as northgate-console.');
    expect(record).not.toContain('PRIVATE KEY');
    expect(readFileSync(console.file, 'utf8')).not.toContain('PRIVATE KEY');
  });

  it('names the permissions that the installation does not give, and what is missing without them', async () => {
    const [sandbox, console] = [await sandboxHost(), await keepingConsole()];
    const installation = sandbox.world.organisations[0]?.installation;
    if (installation !== undefined) delete installation.permissions.checks;
    await attach(console, wanted(sandbox));
    expect((await read(console)).installation?.missing).toEqual([
      { permission: 'checks', without: 'findings of reviews' },
    ]);
  });
});
