import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { AuditItem, AuditRecord } from '../../../src-shared/api/audit.ts';
import { routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import { labels } from '../../../src-shared/platform/labels.ts';
import { objectCluster } from '../../support/object-cluster.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

type WriteRoute = Extract<(typeof routeTable)[number], { access: { kind: 'write' } }>;
type Act = { readonly address?: string; readonly body?: object; readonly target: string };
/** How to do what the route is for, and how to have it fail once the caller is admitted. */
type Acts = {
  success(console: TestConsole): Act | Promise<Act>;
  failure(console: TestConsole): Act | Promise<Act>;
};

const admin = 'ada@northgate.example';
const stranger = 'sven@northgate.example';
const keyName = 'CONSOLE_SESSION_KEY';

/** One entry for each privileged write of the table: a new one does not compile without. */
const acts: Record<WriteRoute['id'], Acts> = {
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
  'codeHost.attach': {
    success: () => ({ body: { installation_id: '' }, target: 'settings' }),
    failure: () => ({ body: { app_id: 'not a number' }, target: 'settings' }),
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
};

const agentJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly-review', namespace: 'agents', labels: { [labels.agent]: 'nightly-review' } },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
};

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
      { CONSOLE_AGENT_ADMINS: admin },
      {
        keeps: { folder: mkdtempSync(join(folder, 'data-')) },
        cluster: objectCluster([agentJob], { writable: true }),
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
      headers: { ...(route.method === 'DELETE' ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(act.body === undefined ? {} : { body: JSON.stringify(act.body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: string } };
  };

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
      const act = await acts[route.id].success(console);
      const cookie = await console.cookieOf('mallory@northgate.example');
      expect([403, 404]).toContain((await perform(console, route, act, { cookie })).status);
      expect((await perform(console, route, act, {})).status).toBe(401);
      const [newest, second, ...older] = await records(console, route);
      expect(older).toHaveLength(before);
      expect(newest).toMatchObject({ actor: 'anonymous', target: act.target, outcome: 'refused' });
      expect(second).toMatchObject({ actor: 'mallory@northgate.example', target: act.target });
      expect(second?.outcome).not.toBe('success');
    });
  }
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
