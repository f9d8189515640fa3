import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionAdmins } from '../../../src-shared/api/access.ts';
import type { AuditItem } from '../../../src-shared/api/audit.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const ada = 'ada@northgate.example';
const sven = 'sven@northgate.example';
const operator = 'operator@console.localhost';

describe('naming the first session admin', () => {
  let console: TestConsole;
  const opened = async (env = {}): Promise<void> => {
    console = await testConsole(env);
  };
  afterEach(() => console.close());

  const name = async (cookie: string, admins: readonly string[], headers = {}) => {
    const { statusCode, body } = await request(`${console.url}/api/session-admins`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ admins }),
    });
    return { status: statusCode, body: (await body.json()) as SessionAdmins & { error?: string } };
  };
  const read = async (path: string, cookie: string) => {
    const { statusCode, body } = await request(`${console.url}${path}`, { headers: { cookie } });
    return { status: statusCode, body: await body.json() };
  };
  const mayName = async (cookie: string): Promise<boolean> =>
    ((await read('/api/session-admins', cookie)).body as SessionAdmins).may_name_first;

  it('is for whoever holds the sign-in link, for as long as nobody is named, and is recorded', async () => {
    await opened();
    const holder = await console.linkCookie();
    expect(await mayName(holder)).toBe(true);
    expect(await name(holder, [ada])).toMatchObject({ status: 200, body: { admins: [ada], size: 1 } });
    expect(await mayName(holder)).toBe(false);
    expect((await name(holder, [operator])).status).toBe(403);
    expect((await name(await console.linkCookie(), [operator])).status).toBe(403);
    const audit = await read('/api/audit?action=session_admins.set', await console.cookieOf(ada));
    expect(
      (audit.body as { items: AuditItem[] }).items.map(({ actor, outcome }) => [actor, outcome]),
    ).toEqual([
      [operator, 'refused'],
      [operator, 'refused'],
      [operator, 'success'],
    ]);
  });

  it('makes nobody an admin by itself: unset means nobody, the holder of the link too (CON-166)', async () => {
    await opened();
    const holder = await console.linkCookie();
    expect((await read('/api/audit', holder)).status).toBe(403);
    const put = await request(`${console.url}/api/settings`, {
      method: 'PUT',
      headers: { cookie: holder, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { CONSOLE_SESSION_HOURS: '8' } }),
    });
    expect(put.statusCode).toBe(403);
    await name(holder, [operator]);
    expect((await read('/api/audit', holder)).status).toBe(200);
  });

  it('is done by one of two who hold a link and name admins at once', async () => {
    await opened();
    const holders = [await console.linkCookie(), await console.linkCookie()];
    const answers = await Promise.all(
      [ada, sven].map((admin, number) => name(holders[number] ?? '', [admin])),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([403, 409]).toContain(statuses[1]);
  });

  it('is refused to others: a person of the provider, the password operator, a page elsewhere, nobody', async () => {
    await opened({ CONSOLE_ADMIN_PASSWORD: 'a password of this test' });
    const signedIn = await request(`${console.url}/auth/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: operator, password: 'a password of this test' }),
    });
    const byPassword = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
    for (const cookie of [byPassword, await console.cookieOf(sven)]) {
      expect(await mayName(cookie)).toBe(false);
      expect((await name(cookie, [sven])).status).toBe(403);
    }
    expect((await name('', [sven])).status).toBe(401);
    const foreign = await name(await console.linkCookie(), [sven], { origin: 'http://evil.example' });
    expect(foreign.status).toBe(403);
    expect(await mayName(await console.linkCookie())).toBe(true);
  });

  it('is not for a link while the environment names the admins', async () => {
    await opened({ CONSOLE_SESSION_ADMINS: ada });
    const holder = await console.linkCookie();
    expect(await mayName(holder)).toBe(false);
    expect((await name(holder, [operator])).status).toBe(403);
  });
});
