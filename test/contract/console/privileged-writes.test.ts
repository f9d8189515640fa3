import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startStudio } from '../../../src-main/backends/studio/index.ts';
import { startSandboxCodeHost } from '../../../src-main/sandbox/code-host/index.ts';
import type { AuditItem, AuditRecord } from '../../../src-shared/api/audit.ts';
import { routeTable } from '../../../src-shared/api/index.ts';
import { ingestTokens, type Route } from '../../../src-shared/api/route.ts';
import { labels } from '../../../src-shared/platform/labels.ts';
import { confirmApp, type SandboxCodeHost, world } from '../../support/code-host.ts';
import { type Act, type Acts, dataSourceActs } from '../../support/data-source-acts.ts';
import { forwardActs } from '../../support/forward-acts.ts';
import { startTestCluster, type TestCluster } from '../../support/kube-api.ts';
import { objectCluster } from '../../support/object-cluster.ts';
import { type OidcIssuer, startOidcIssuer } from '../../support/oidc-issuer.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

type WriteRoute = Extract<(typeof routeTable)[number], { access: { kind: 'write' } }>;
let cluster: TestCluster | undefined;
let studio: Awaited<ReturnType<typeof startStudio>> | undefined;
let issuer: OidcIssuer | undefined;
let codeHost: SandboxCodeHost | undefined;
afterAll(() => Promise.all([cluster?.close(), studio?.close(), issuer?.close(), codeHost?.close()]));
const identityKey = randomBytes(32);
/** A kubeconfig of a cluster that answers. */
async function kubeconfig(): Promise<string> {
  cluster ??= await startTestCluster();
  return readFileSync(cluster.kubeconfig, 'utf8');
}

const admin = 'ada@northgate.example';
const stranger = 'sven@northgate.example';
const keyName = 'CONSOLE_SESSION_KEY';

/** One entry for each privileged write of the table: a new one does not compile without. */
const acts: Record<WriteRoute['id'], Acts> = {
  ...dataSourceActs,
  ...forwardActs,
  'sessions.revokeOne': {
    async success(console) {
      await console.cookieOf(stranger);
      const cookie = await console.cookieOf(admin);
      const answer = await fetch(`${console.url}/api/sessions/everyone`, { headers: { cookie } });
      const { items } = (await answer.json()) as { items: { id: string; email: string }[] };
      const id = items.find((session) => session.email === stranger)?.id ?? '';
      return { address: `/api/sessions/${id}`, target: id };
    },
    failure: () => ({ address: '/api/sessions/no-such-session', target: 'no-such-session' }),
  },
  'sessions.revokeAll': {
    success: () => ({ body: { subject: stranger }, target: stranger }),
    failure: () => ({ body: { subject: '' }, target: '' }),
  },
  'access.setSessionAdmins': {
    success: () => ({ body: { admins: [admin, 'grace@northgate.example'] }, target: 'session-admins' }),
    failure: () => ({ body: { admins: [] }, target: 'session-admins' }),
  },
  'settings.change': {
    success: () => ({ body: { values: { CONSOLE_SESSION_HOURS: '8' } }, target: 'settings' }),
    failure: () => ({ body: { values: { CONSOLE_SESSION_HOURS: 'soon' } }, target: 'settings' }),
  },
  'keys.set': {
    success: () => ({ address: `/api/keys/${keyName}`, body: { generate: true }, target: keyName }),
    failure: () => ({ address: '/api/keys/NO_SUCH_KEY', body: { generate: true }, target: 'NO_SUCH_KEY' }),
  },
  'keys.delete': {
    success: () => ({ address: '/api/keys/STRIPE_SECRET_KEY', target: 'STRIPE_SECRET_KEY' }),
    failure: () => ({ address: '/api/keys/NO_SUCH_KEY', target: 'NO_SUCH_KEY' }),
  },
  'sandbox.start': {
    success: () => ({ body: {}, target: 'sandbox' }),
    failure: () => ({ address: '/api/sandbox?of=another', target: 'sandbox' }),
  },
  'sandbox.stop': {
    async success(console) {
      const cookie = await console.cookieOf(admin);
      await fetch(`${console.url}/api/sandbox`, { method: 'POST', headers: { cookie } });
      return { target: 'sandbox' };
    },
    failure: () => ({ target: 'sandbox' }),
  },
  'kubeconfigs.check': {
    success: async () => ({ body: { content: await kubeconfig() }, target: 'kubeconfigs' }),
    failure: () => ({ body: { content: 'no kubeconfig' }, target: 'kubeconfigs' }),
  },
  'kubeconfigs.attach': {
    success: async () => ({
      body: { content: await kubeconfig(), context: 'test' },
      target: 'kubeconfigs',
    }),
    failure: () => ({ body: { content: 'no kubeconfig', context: 'test' }, target: 'kubeconfigs' }),
  },
  'kubeconfigs.detach': {
    async success(console) {
      const answer = await fetch(`${console.url}/api/kubeconfigs`, {
        method: 'POST',
        headers: { cookie: await console.cookieOf(admin), 'content-type': 'application/json' },
        body: JSON.stringify({ content: await kubeconfig(), context: 'test' }),
      });
      const { id } = (await answer.json()) as { id: string };
      return { address: `/api/kubeconfigs/${id}`, target: id };
    },
    failure: () => ({ address: '/api/kubeconfigs/0123456789abcdef', target: '0123456789abcdef' }),
  },
  'setUp.studio': {
    async success() {
      studio ??= await startStudio({
        listen: { host: '127.0.0.1', port: 0 },
        identityKey,
        storeFile: ':memory:',
      });
      const key = identityKey.toString('base64');
      return { body: { address: studio.url, key, keep: false }, target: 'settings' };
    },
    failure: () => ({ body: { address: 'http://127.0.0.1:9', keep: true }, target: 'settings' }),
  },
  'setUp.signIn': {
    async success() {
      issuer ??= await startOidcIssuer(['the-client']);
      return {
        body: { issuer: issuer.issuer, client_id: 'the-client', allowed_emails: [admin], keep: false },
        target: 'settings',
      };
    },
    failure: () => ({
      body: { issuer: 'http://127.0.0.1:9', client_id: 'x', keep: true },
      target: 'settings',
    }),
  },
  'codeHost.attach': {
    success: () => ({ body: { installation_id: '' }, target: 'settings' }),
    failure: () => ({ body: { app_id: 'not a number' }, target: 'settings' }),
  },
  'codeHost.appManifest': {
    success: (console) => ({
      body: { organisation: 'northgate', console_url: console.url },
      target: 'settings',
    }),
    failure: (console) => ({ body: { organisation: '-', console_url: console.url }, target: 'settings' }),
  },
  'codeHost.createdApp': {
    async success(console) {
      codeHost ??= await startSandboxCodeHost({ world: world([]) });
      const post = async (path: string, body: object) => {
        const headers = { cookie: await console.cookieOf(admin), 'content-type': 'application/json' };
        const answer = await fetch(`${console.url}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return (await answer.json()) as { action: string; manifest: string };
      };
      await post('/api/github', { api_url: codeHost.url });
      const begun = await post('/api/github/app-manifest', {
        organisation: 'northgate',
        console_url: console.url,
      });
      const back = await confirmApp(begun);
      const { code, state } = Object.fromEntries(back.searchParams);
      return { body: { code, state }, target: 'settings' };
    },
    failure: () => ({ body: { code: 'x', state: 'A'.repeat(43) }, target: 'settings' }),
  },
  'guardrails.set': {
    success: () => ({ body: { revision: 0, autonomy: { agents: 'auto' } }, target: 'guardrails' }),
    failure: () => ({ body: { revision: 0, autonomy: { access: 'auto' } }, target: 'guardrails' }),
  },
  'acts.perform': {
    async success(console) {
      const answer = await fetch(`${console.url}/api/acts/preview`, {
        method: 'POST',
        headers: { cookie: await console.cookieOf(admin), 'content-type': 'application/json' },
        body: JSON.stringify(restart),
      });
      const { digest } = (await answer.json()) as { digest: string };
      return {
        body: { ...restart, digest, key: randomBytes(16).toString('hex') },
        target: 'test: Deployment agents/idle',
      };
    },
    failure: () => ({
      body: { ...restart, act: 'scale', digest: '0'.repeat(64), key: randomBytes(16).toString('hex') },
      target: 'test',
    }),
  },
  'intelligence.act': {
    async success(console) {
      const { items } = await findingsOf(console);
      const revision = items.find(({ id }) => id === 'ownership')?.revision;
      return { address: '/api/harness/ownership/act', body: { revision }, target: 'ownership' };
    },
    failure: () => ({
      address: '/api/harness/ownership/act',
      body: { revision: 'of-another-day' },
      target: 'ownership',
    }),
  },
  'fleet.setSchedule': {
    success: () => ({
      address: '/api/agent-schedules/nightly-review',
      body: { enabled: false },
      target: 'nightly-review',
    }),
    failure: () => ({
      address: '/api/agent-schedules/no-such-agent',
      body: { enabled: false },
      target: 'no-such-agent',
    }),
  },
  'bundles.open': {
    success: () => upload,
    failure: () => ({ body: { path: '' }, target: 'bundles' }),
    refusal: () => ({ body: { path: '/var/tmp/estate.json' }, target: 'bundles' }),
  },
  'bundles.close': {
    async success(console) {
      const answer = await fetch(`${console.url}${upload.address}`, {
        method: 'POST',
        headers: {
          cookie: await console.cookieOf(stranger),
          'content-type': 'application/octet-stream',
        },
        body: upload.body,
      });
      const { id } = (await answer.json()) as { id: string };
      return { address: `/api/bundles/${id}`, target: id };
    },
    failure: () => ({ address: '/api/bundles/abcd1234', target: 'abcd1234' }),
  },
};

async function findingsOf(console: TestConsole): Promise<{ items: { id: string; revision: string }[] }> {
  const answer = await fetch(`${console.url}/api/harness`, {
    headers: { cookie: await console.cookieOf(admin) },
  });
  return (await answer.json()) as Awaited<ReturnType<typeof findingsOf>>;
}

const upload = {
  address: '/api/bundles?name=estate.json',
  body: Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] })),
  target: 'bundles',
};

/** A workload without pods: a restart takes effect at once. */
const idle = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'idle', namespace: 'agents', uid: 'u-1', resourceVersion: '1' },
  spec: { replicas: 0, template: { spec: { containers: [] } } },
};
const restart = {
  target: 'test',
  act: 'restart',
  object: { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'agents', name: 'idle' },
  args: {},
};

const agentJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly-review', namespace: 'agents', labels: { [labels.agent]: 'nightly-review' } },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
};

/** A namespace that names no tenant: a finding. */
const unowned = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } };

const writes = (routeTable as readonly Route[]).filter(
  (route): route is WriteRoute => route.access.kind === 'write',
);

describe('every privileged write leaves one audit record (CON-041, CON-180)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'privileged-writes-'));
  const opened: TestConsole[] = [];
  afterEach(async () => {
    for (const console of opened.splice(0)) await console.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A console that keeps what it is given, whose session admin is in its store. */
  const consoleWithAdmin = async (): Promise<TestConsole> => {
    const console = await testConsole(
      {
        CONSOLE_AGENT_ADMINS: admin,
        CONSOLE_CONNECTION_ADMINS: admin,
        CONSOLE_CLUSTER_ADMINS: admin,
        STUDIO_UPSTREAM: undefined,
        CONSOLE_STUDIO_IDENTITY_KEY: undefined,
      },
      {
        keeps: { folder: mkdtempSync(join(folder, 'data-')) },
        cluster: objectCluster([agentJob, idle, unowned], { writable: true }),
      },
    );
    opened.push(console);
    await fetch(`${console.url}/api/session-admins`, {
      method: 'PUT',
      headers: { cookie: await console.cookie(), 'content-type': 'application/json' },
      body: JSON.stringify({ admins: [admin] }),
    });
    await fetch(`${console.url}/api/keys/STRIPE_SECRET_KEY`, {
      method: 'PUT',
      headers: { cookie: await console.cookie(), 'content-type': 'application/json' },
      body: JSON.stringify({ value: 'sk_test_of_this_test' }),
    });
    return console;
  };

  const perform = async (
    console: TestConsole,
    route: WriteRoute,
    act: Act,
    headers: Record<string, string>,
  ) => {
    const answer = await fetch(`${console.url}${act.address ?? route.path}`, {
      method: route.method,
      headers: {
        ...(route.method === 'DELETE' ? {} : { 'content-type': mediaTypeOf(act.body) }),
        ...headers,
      },
      ...(act.body === undefined
        ? {}
        : { body: Buffer.isBuffer(act.body) ? act.body : JSON.stringify(act.body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: string } };
  };

  const mediaTypeOf = (body: Act['body']) =>
    Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';

  /** Records of this action beyond the first `after`, read as the admin reads them. */
  const records = async (console: TestConsole, route: WriteRoute): Promise<AuditRecord[]> => {
    // Who was an admin may no longer be one: the trail is read beside the routes under test.
    const cookie = await console.cookieOf(admin);
    const list = await fetch(`${console.url}/api/audit?action=${route.access.action}`, {
      headers: { cookie },
    });
    const { items } = (await list.json()) as { items: AuditItem[] };
    return Promise.all(
      items.map(async ({ seq }) => {
        const answer = await fetch(`${console.url}/api/audit/${seq}`, { headers: { cookie } });
        return (await answer.json()) as AuditRecord;
      }),
    );
  };

  for (const route of writes) {
    const name = `${route.method} ${route.path}`;

    it(`${name}: on success, before it is answered`, async () => {
      const console = await consoleWithAdmin();
      const before = (await records(console, route)).length;
      const act = await acts[route.id].success(console);
      const { status, body } = await perform(console, route, act, { cookie: await console.cookieOf(admin) });
      expect([status, body.error]).toEqual([200, undefined]);
      const [newest, ...older] = await records(console, route);
      expect(older).toHaveLength(before);
      expect(newest).toMatchObject({
        actor: admin,
        action: route.access.action,
        target: act.target,
        outcome: 'success',
      });
      expect(newest?.summary).not.toBe('');
      expect(newest?.detail).toMatchObject({ address: '127.0.0.1' });
    });

    it(`${name}: on failure, with the reason the caller was told`, async () => {
      const console = await consoleWithAdmin();
      const before = (await records(console, route)).length;
      const act = await acts[route.id].failure(console);
      const { status, body } = await perform(console, route, act, { cookie: await console.cookieOf(admin) });
      expect([400, 404, 409, 422]).toContain(status);
      const [newest, ...older] = await records(console, route);
      expect(older).toHaveLength(before);
      expect(newest).toMatchObject({ actor: admin, target: act.target, outcome: 'failure' });
      expect(newest?.summary).toContain(body.error);
    });

    it(`${name}: on refusal, of a person who is not on the list and of one who is not signed in`, async () => {
      const console = await consoleWithAdmin();
      const before = (await records(console, route)).length;
      const { success, refusal } = acts[route.id];
      const act = await (refusal ?? success)(console);
      const cookie = await console.cookieOf('mallory@northgate.example');
      expect([403, 404]).toContain((await perform(console, route, act, { cookie })).status);
      expect((await perform(console, route, act, {})).status).toBe(401);
      const [newest, second, ...older] = await records(console, route);
      expect(older).toHaveLength(before);
      // Who has no session is refused before what they sent is read.
      const target = route.access.target.startsWith('body.') ? '(not read)' : act.target;
      expect(newest).toMatchObject({ actor: 'anonymous', target, outcome: 'refused' });
      // Who acts on themselves is let in, so that the body is read.
      const known = 'ownSubject' in route.access ? act.target : target;
      expect(second).toMatchObject({ actor: 'mallory@northgate.example', target: known });
      expect(second?.outcome).not.toBe('success');
    });
  }
});

describe('a request whose body cannot be read', () => {
  const table: readonly Route[] = routeTable;
  // A signature is over the body: it is read before anything can be said of it.
  const guarded = table.filter(
    ({ method, access }) => method !== 'GET' && access.kind !== 'open' && access.kind !== 'signature',
  );
  const bodies = {
    'no JSON': { type: 'application/json', body: '{' },
    'too much': { type: 'application/json', body: `"${'x'.repeat(2 * 1024 * 1024)}"` },
    'another media type': { type: 'text/plain', body: 'x' },
  };
  let console_: TestConsole;
  beforeEach(async () => {
    console_ = await testConsole({
      CONSOLE_SESSION_ADMINS: admin,
      ...Object.fromEntries(ingestTokens.map((name) => [name, 'token-1'])),
    });
  });
  afterEach(() => console_.close());

  const send = async (
    { method, path }: Pick<Route, 'method' | 'path'>,
    { type, body }: { type: string; body: string },
    headers: Record<string, string> = {},
  ) => {
    const answer = await request(`${console_.url}${path.replace(/\{\w+\}/g, 'x')}`, {
      method: method === 'any' ? 'POST' : method,
      headers: { 'content-type': type, ...headers },
      body,
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const recordsOf = async (action: string) => {
    const { items } = (await (
      await fetch(`${console_.url}/api/audit?action=${action}&limit=200`, {
        headers: { cookie: await console_.cookieOf(admin) },
      })
    ).json()) as { items: AuditItem[] };
    return items;
  };

  it('is answered 401 without a session or token, on every route, whatever the body', async () => {
    for (const route of guarded)
      for (const [name, body] of Object.entries(bodies))
        expect([route.id, name, await send(route, body)]).toEqual([route.id, name, 401]);
  });

  it('is answered 403 to who may not do it, before 400, 413 and 415', async () => {
    const cookie = await console_.cookieOf(stranger);
    for (const route of guarded) {
      const { access } = route;
      if (access.kind !== 'write' || access.ownSubject || access.allowlist !== 'CONSOLE_SESSION_ADMINS')
        continue;
      for (const [name, body] of Object.entries(bodies))
        expect([route.id, name, await send(route, body, { cookie })]).toEqual([route.id, name, 403]);
    }
  });

  it('is answered 400, 413 or 415 to who may, and recorded', async () => {
    const cookie = await console_.cookieOf(admin);
    const route = { method: 'PUT', path: '/api/settings' } as const;
    const statuses: number[] = [];
    for (const body of Object.values(bodies)) statuses.push(await send(route, body, { cookie }));
    expect(statuses).toEqual([400, 413, 415]);
    const records = await recordsOf('settings.change');
    expect(records.map(({ actor, outcome }) => [actor, outcome])).toEqual(
      statuses.map(() => [admin, 'failure']),
    );
  });
});

describe('refusals', () => {
  it('of a signed-in person are bounded, and how many more there were is recorded', async () => {
    const console = await testConsole({ CONSOLE_SESSION_ADMINS: admin });
    const cookie = await console.cookieOf(stranger);
    const refused = async () => {
      const answer = await request(`${console.url}/api/settings`, {
        method: 'PUT',
        headers: { cookie, 'content-type': 'application/json' },
        body: '{"values":{}}',
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    for (let n = 0; n < 50; n += 1) expect(await refused()).toBe(403);
    const count = async () =>
      (
        await console.store.db
          .selectFrom('audit_records')
          .select('body')
          .where('action', '=', 'settings.change')
          .orderBy('seq')
          .execute()
      ).map(({ body }) => JSON.parse(body) as { detail: { not_recorded?: number } });
    expect(await count()).toHaveLength(20);
    console.advance(61_000);
    await refused();
    const records = await count();
    expect([records.length, records.at(-1)?.detail.not_recorded]).toEqual([21, 30]);
    await console.close();
  });

  it('of a page of another origin are recorded, with a bound, and hide nobody else', async () => {
    const console = await testConsole({ CONSOLE_SESSION_ADMINS: admin, CONSOLE_ADMIN_PASSWORD: 'right' });
    for (let n = 0; n < 40; n += 1) {
      const answer = await request(`${console.url}/api/sessions/revoke-all`, {
        method: 'POST',
        headers: { origin: 'http://evil.example', 'content-type': 'application/json' },
        body: JSON.stringify({ subject: admin }),
      });
      await answer.body.dump();
      expect(answer.statusCode).toBe(403);
    }
    await request(`${console.url}/auth/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'x', password: 'y' }),
    });
    const rows = await vi.waitFor(async () => {
      const found = await console.store.db.selectFrom('audit_records').select(['action', 'body']).execute();
      expect(found.length).toBeGreaterThanOrEqual(21);
      return found;
    });
    const foreign = rows.filter(({ action }) => action === 'sessions.revoke_all');
    expect(foreign).toHaveLength(20);
    expect(JSON.parse(foreign[0]?.body ?? '')).toMatchObject({
      actor: 'anonymous',
      outcome: 'refused',
      detail: { origin: 'http://evil.example' },
    });
    expect(rows.filter(({ action }) => action === 'sign_in')).toHaveLength(1);
    await console.close();
  });
});

describe('sign-ins', () => {
  it('are recorded with who, how and from where; what was refused is recorded without the name that was typed', async () => {
    const console = await testConsole({
      CONSOLE_ADMIN_PASSWORD: 'right-password',
      CONSOLE_ADMIN_EMAIL: admin,
      CONSOLE_SESSION_ADMINS: admin,
    });
    try {
      const signIn = (username: string, password: string) =>
        fetch(`${console.url}/auth/password`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'test agent' },
          body: JSON.stringify({ username, password }),
        });
      expect((await signIn('typed-by-mistake', 'wrong')).status).toBe(401);
      const good = await signIn(admin, 'right-password');
      const cookie = good.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      const list = await fetch(`${console.url}/api/audit`, { headers: { cookie } });
      const { items } = (await list.json()) as { items: AuditItem[] };
      expect(items.map(({ actor, action, target, outcome }) => [actor, action, target, outcome])).toEqual([
        [admin, 'sign_in', 'password', 'success'],
        ['anonymous', 'sign_in', 'password', 'refused'],
      ]);
      await fetch(`${console.url}/auth/logout`, { method: 'POST', headers: { cookie } });
      const again = { cookie: await console.cookieOf(admin) };
      const after = await fetch(`${console.url}/api/audit`, { headers: again });
      const text = await after.text();
      expect((JSON.parse(text) as { items: AuditItem[] }).items[0]).toMatchObject({
        actor: admin,
        action: 'sign_out',
      });
      const whole = await (await fetch(`${console.url}/api/audit/export`, { headers: again })).text();
      for (const secret of ['typed-by-mistake', 'right-password', 'wrong"', cookie.split('=')[1] ?? '-'])
        expect(whole).not.toContain(secret);
      expect(whole).toContain('test agent');
    } finally {
      await console.close();
    }
  });
});
