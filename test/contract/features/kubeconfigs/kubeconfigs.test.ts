import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';
import { newFolder, type StartedConsole, startedConsole } from '../../../support/started-console.ts';

const admin = 'ada@northgate.example';

type Parts = {
  readonly server: string;
  readonly name?: string;
  readonly user?: object;
  readonly cluster?: object;
};

function kubeconfig({ server, name = 'prod', user = { token: 'test-token' }, cluster = {} }: Parts): string {
  return stringify({
    'current-context': name,
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name, context: { cluster: 'c', user: 'u' } }],
  });
}

describe('a kubeconfig attached in the window', () => {
  let cluster: TestCluster;
  let console: StartedConsole;
  let folder: string;
  beforeAll(async () => {
    cluster = await startTestCluster([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }]);
  });
  afterAll(() => cluster.close());
  beforeEach(async () => {
    folder = newFolder();
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' });
  });
  afterEach(() => console.close());

  const post = (path: string, body: object) => console.api('POST', path, body);
  const attach = (content: string, context = 'prod') => post('/api/kubeconfigs', { content, context });
  const keptFiles = (): string[] => {
    try {
      return readdirSync(join(console.folder, 'kubeconfigs')).filter((name) => name.endsWith('.yaml'));
    } catch {
      return [];
    }
  };

  it('is read, tried and kept without a restart, privately, and its content is never answered', async () => {
    const content = kubeconfig({ server: cluster.url });
    expect(await post('/api/kubeconfigs/check', { content })).toEqual({
      status: 200,
      body: {
        contexts: [{ name: 'prod', server: new URL(cluster.url).host, user: 'u', files: [] }],
        current: 'prod',
      },
    });
    expect(keptFiles()).toEqual([]);
    const { status, body } = await attach(content);
    expect([status, body]).toMatchObject([200, { target: 'prod', state: 'ready' }]);
    expect((await console.api('GET', '/api/namespaces?target=prod')).body).toMatchObject({
      source: 'kubernetes',
      items: [{ name: 'shop' }],
    });
    const [file = ''] = keptFiles();
    expect(statSync(join(console.folder, 'kubeconfigs', file)).mode & 0o777).toBe(0o600);
    const listed = JSON.stringify((await console.api('GET', '/api/kubeconfigs')).body);
    expect(listed).toContain('"targets":["prod"]');
    expect(listed).not.toContain('test-token');
    console = await console.again();
    expect((await console.api('GET', '/api/targets')).body).toMatchObject({ chosen: 'prod' });
    const { items } = (await console.api('GET', '/api/kubeconfigs')).body as { items: { id: string }[] };
    expect((await console.api('DELETE', `/api/kubeconfigs/${items[0]?.id}`)).status).toBe(200);
    expect(keptFiles()).toEqual([]);
    expect((await console.api('GET', '/api/targets')).body).toMatchObject({ items: [] });
  });

  it('is attached by its path by the person at the machine, and read where it is', async () => {
    const path = join(folder, 'config');
    writeFileSync(path, kubeconfig({ server: cluster.url }));
    symlinkSync(path, join(folder, 'link'));
    const checked = await post('/api/kubeconfigs/check', { path: join(folder, 'link') });
    expect(checked.body).toMatchObject({ contexts: [{ name: 'prod' }] });
    expect(await post('/api/kubeconfigs', { path, context: 'prod' })).toMatchObject({ status: 200 });
    expect(keptFiles()).toEqual([]);
    expect((await post('/api/kubeconfigs', { path, context: 'prod' })).status).toBe(409);
  });

  it('names the program that signing in would run, before anything runs', async () => {
    const mark = join(folder, 'ran');
    const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [mark] } };
    const { body } = await post('/api/kubeconfigs/check', {
      content: kubeconfig({ server: cluster.url, user }),
    });
    expect(body).toMatchObject({ contexts: [{ name: 'prod', runs: `touch ${mark}` }] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not kept when it does not answer, and the reason is told', async () => {
    const refused = await attach(kubeconfig({ server: 'https://127.0.0.1:9' }));
    expect(refused).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('Nothing was attached: 127.0.0.1:9 refuses connections') },
    });
    const wrong = await attach(kubeconfig({ server: cluster.url, user: { token: 'another' } }));
    expect(wrong.status).toBe(422);
    expect(keptFiles()).toEqual([]);
    expect((await console.api('GET', '/api/targets')).body).toMatchObject({ items: [] });
  });

  it('never takes the credentials of another file for its own server', async () => {
    const own = join(folder, 'own');
    writeFileSync(own, kubeconfig({ server: cluster.url, name: 'ours', user: { token: 'of the operator' } }));
    await console.close();
    console = await startedConsole({ CONSOLE_KUBECONFIG: own });
    const thief = stringify({
      clusters: [{ name: 'theirs', cluster: { server: cluster.url } }],
      contexts: [{ name: 'prod', context: { cluster: 'theirs', user: 'u' } }],
    });
    const { status, body } = await attach(thief);
    expect([status, body]).toMatchObject([422, { error: expect.stringContaining('the user u') }]);
  });

  it('keeps apart contexts of one name in two files', async () => {
    await attach(kubeconfig({ server: cluster.url }));
    const host = new URL(cluster.url).host;
    expect((await attach(kubeconfig({ server: cluster.url }))).body).toMatchObject({
      target: `prod (${host})`,
    });
    const { items } = (await console.api('GET', '/api/targets')).body as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual(['prod', `prod (${host})`]);
  });

  for (const [what, content, said] of [
    ['garbage', 'x: [', 'not a kubeconfig'],
    ['half a megabyte of brackets', '['.repeat(500_000), 'This'],
    ['a list of nothing', '{}', 'no contexts'],
    [
      'aliases within aliases',
      `a: &a [x,x]\n${'bcdefghijklmnopq'
        .split('')
        .map((name, i) => `${name}: &${name} [*${'abcdefghijklmnopq'[i]},*${'abcdefghijklmnopq'[i]}]`)
        .join('\n')}\ncontexts: *q`,
      'not a kubeconfig',
    ],
    [
      'a relative path in what was pasted',
      kubeconfig({ server: 'https://a.example', cluster: { 'certificate-authority': 'ca.crt' } }),
      'relative',
    ],
  ] as const) {
    it(`is refused in words: ${what}`, async () => {
      const began = performance.now();
      const { status, body } = await attach(content);
      expect([400, 422]).toContain(status);
      expect((body as { error: string }).error).toContain(said);
      expect((body as { error: string }).error).not.toContain(console.folder);
      expect(performance.now() - began).toBeLessThan(2000);
      expect(keptFiles()).toEqual([]);
    });
  }

  it('is refused beyond 512 KiB', async () => {
    expect((await attach('#'.repeat(600_000))).status).toBe(400);
    expect((await attach('#'.repeat(2_000_000))).status).toBe(413);
    const large = join(folder, 'large');
    writeFileSync(large, '#'.repeat(600_000));
    expect((await post('/api/kubeconfigs/check', { path: large })).status).toBe(400);
  });

  it('by path is a file: no folder, pipe or device is waited for, and no content of another file is told', async () => {
    mkdirSync(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'secret'), 'root:$6$abcdef:19000:0:99999:7:::\n');
    for (const path of [
      join(folder, 'sub'),
      join(folder, 'pipe'),
      '/dev/zero',
      'config',
      join(folder, 'none'),
    ])
      expect((await post('/api/kubeconfigs/check', { path })).status).toBe(400);
    const { status, body } = await post('/api/kubeconfigs/check', { path: join(folder, 'secret') });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain('$6$');
  });

  it('is not removed with a list that somebody broke: it can be attached again', async () => {
    await attach(kubeconfig({ server: cluster.url }));
    writeFileSync(join(console.folder, 'kubeconfigs', 'attached.json'), 'not a list');
    const before = keptFiles();
    console = await console.again();
    expect(keptFiles()).toEqual(before);
    expect((await console.api('GET', '/api/kubeconfigs')).body).toEqual({ items: [] });
  });

  it('leaves no content in the audit trail', async () => {
    await attach(kubeconfig({ server: cluster.url }));
    await console.api('PUT', '/api/session-admins', { admins: ['operator@console.localhost'] });
    const audit = await console.api('GET', '/api/audit?action=kubeconfigs.attach');
    expect(audit.body).toMatchObject({ items: [{ outcome: 'success' }] });
    expect(JSON.stringify(audit.body)).not.toContain('test-token');
  });
});

describe("a kubeconfig given to a team's server", () => {
  let cluster: TestCluster;
  let console: StartedConsole;
  let cookie: string;
  beforeAll(async () => {
    cluster = await startTestCluster();
    console = await startedConsole({
      CONSOLE_KUBECONFIG: 'none',
      CONSOLE_PUBLIC_URL: 'https://console.example.com',
      CONSOLE_SESSION_ADMINS: `${admin},operator@console.localhost`,
      CONSOLE_ADMIN_PASSWORD: 'a password of this test',
    });
    const { headers } = await request(`${console.running.url}/auth/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'operator@console.localhost', password: 'a password of this test' }),
    });
    cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  });
  afterAll(async () => {
    await console.close();
    await cluster.close();
  });

  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await request(`${console.running.url}${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };

  it('is taken from a session admin when it stands alone', async () => {
    const { status } = await post('/api/kubeconfigs', {
      content: kubeconfig({ server: cluster.url }),
      context: 'prod',
    });
    expect(status).toBe(200);
  });

  it('never reads a file of the machine by its path, whatever is there', async () => {
    for (const path of ['/etc/passwd', '/etc/no-such-file', '~/.kube/config', '/proc/self/environ']) {
      const { status, text } = await post('/api/kubeconfigs/check', { path });
      expect([status, text.includes('root:')]).toEqual([403, false]);
    }
  });

  for (const [what, more] of [
    ['token file', { user: { tokenFile: '/etc/shadow' } }],
    ['client key', { user: { 'client-certificate': '/etc/ssl/a.crt', 'client-key': '/etc/ssl/a.key' } }],
    ['CA', { cluster: { 'certificate-authority': '/etc/hostname' } }],
    [
      'CA of its provider',
      {
        user: {
          'auth-provider': {
            name: 'oidc',
            config: { 'idp-issuer-url': 'https://a.example', 'idp-certificate-authority': '/etc/hostname' },
          },
        },
      },
    ],
    [
      'program',
      {
        user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', 'id'] } },
      },
    ],
  ] as const) {
    it(`is refused when a context of it names a ${what} of the machine`, async () => {
      const before = cluster.requests.length;
      const content = kubeconfig({ server: cluster.url, name: 'other', ...more });
      const checked = await post('/api/kubeconfigs/check', { content });
      expect(checked.text).toContain('console’s machine'.replace('’', "'"));
      const { status, text } = await post('/api/kubeconfigs', { content, context: 'other' });
      expect([status, text.includes('only the person at that machine')]).toEqual([422, true]);
      expect(cluster.requests.length).toBe(before);
    });
  }

  it('is not taken from a page of another origin', async () => {
    const content = kubeconfig({ server: cluster.url });
    const { status } = await post(
      '/api/kubeconfigs',
      { content, context: 'prod' },
      { origin: 'http://evil.example' },
    );
    expect(status).toBe(403);
  });
});
