import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../../../src-main/sources/cluster/live/credentials.ts';
import { createContexts } from '../../../../../src-main/sources/cluster/live/index.ts';
import { readKubeconfig } from '../../../../../src-main/sources/cluster/live/kubeconfig.ts';
import { defaultTiming } from '../../../../../src-main/sources/cluster/live/timing.ts';
import { clientNode, noClientNode, type TheirCredentials } from '../../../../support/client-node.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : dump(content));
  return path;
}

const contextsOf = (...files: string[]) =>
  createContexts({ files: () => files, env: {}, loginShellPath: false });

const whole = {
  'current-context': 'one',
  clusters: [{ name: 'c', cluster: { server: 'https://api.example:6443' } }],
  users: [{ name: 'u', user: { token: 'secret' } }],
  contexts: [{ name: 'one', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
};

describe('contexts of a kubeconfig', () => {
  it('are empty without a file, and with an empty one', async () => {
    expect(await contextsOf(join(folder, 'none'), write('empty', '')).list()).toEqual([]);
  });

  it('merge files as kubectl does: the first of a name counts', async () => {
    const second = {
      'current-context': 'two',
      clusters: [{ name: 'c', cluster: { server: 'https://other.example' } }],
      contexts: [{ name: 'two', context: { cluster: 'c', user: 'u' } }],
    };
    const contexts = contextsOf(write('a', whole), write('b', second));
    expect(await contexts.current()).toBe('one');
    expect((await contexts.list()).map(({ name, server, fault }) => [name, server?.host, fault])).toEqual([
      ['one', 'api.example:6443', undefined],
      ['two', 'api.example:6443', undefined],
    ]);
  });

  it('are read again when a file changes', async () => {
    const contexts = contextsOf(write('a', whole));
    expect(await contexts.list()).toHaveLength(1);
    write('a', {
      ...whole,
      contexts: [...whole.contexts, { name: 'late', context: { cluster: 'c', user: 'u' } }],
    });
    expect((await contexts.list()).map(({ name }) => name)).toEqual(['one', 'late']);
  });

  it.each([
    [{ cluster: 'none', user: 'u' }, 'names the cluster none, which the kubeconfig does not define'],
    [{ cluster: 'c', user: 'none' }, 'names the user none, which the kubeconfig does not define'],
    [{ user: 'u' }, 'names no cluster'],
    [{ cluster: 'bad', user: 'u' }, 'has no usable server address'],
    [{ cluster: 'c', user: 'old' }, 'signs in by the auth provider gcp, which Kubernetes removed in 1.26'],
    [{ cluster: 'c', user: 'tty' }, 'needs a terminal'],
    [{ cluster: 'c', user: 'odd' }, 'The user odd cannot be understood: token is not what it should be'],
  ])('say why one cannot be used: %o', async (context, fault) => {
    const users = [
      ...whole.users,
      { name: 'old', user: { 'auth-provider': { name: 'gcp' } } },
      { name: 'tty', user: { exec: { command: 'x', interactiveMode: 'Always' } } },
      { name: 'odd', user: { token: ['secret'] } },
    ];
    const clusters = [...whole.clusters, { name: 'bad', cluster: { server: 'api.example' } }];
    const path = write('a', {
      ...whole,
      clusters,
      users,
      contexts: [...whole.contexts, { name: 'two', context }],
    });
    const [good, bad] = await contextsOf(path).list();
    expect(good?.fault).toBeUndefined();
    expect(bad?.fault).toContain(fault);
    expect(bad?.fault).not.toContain('secret');
    const cluster = await contextsOf(path).open('two', {
      writable: () => true,
      namespaces: () => [],
      now: Date.now,
    });
    const { pods } = await import('../../../../../src-main/cluster-model/kinds/index.ts');
    expect(await cluster.list(pods)).toMatchObject({ state: 'unavailable', gaps: [bad?.fault] });
    expect(cluster.status()).toMatchObject({ state: 'broken', detail: bad?.fault });
    cluster.close();
  });

  it('name a file that cannot be understood, and keep the others', async () => {
    const broken = write('broken', 'clusters: [');
    const listed = await contextsOf(broken, write('a', whole)).list();
    expect(listed.map(({ name }) => name)).toEqual(['one', broken]);
    expect(listed[1]?.fault).toContain('is not a kubeconfig');
  });

  it('refuse to open a name that is not there', async () => {
    const open = contextsOf(write('a', whole)).open('x', {
      writable: () => false,
      namespaces: () => [],
      now: Date.now,
    });
    await expect(open).rejects.toMatchObject({ name: 'NotFound', message: 'There is no target x.' });
  });
});

describe('credentials of a user', () => {
  const pem = (text: string): string => Buffer.from(text).toString('base64');
  type Sent = { readonly headers: Record<string, string>; readonly key?: string };
  const library = clientNode();
  if (library === undefined) console.warn(`skipped: ${noClientNode}`);
  // What the library (2.0.1) sends: held against itself where it is installed.
  it.each<[string, Record<string, unknown>, Sent]>([
    ['token', { token: 't' }, { headers: { authorization: 'Bearer t' } }],
    [
      'user name and password',
      { username: 'anna', password: 'p:q' },
      { headers: { authorization: 'Basic YW5uYTpwOnE=' } },
    ],
    [
      'impersonation',
      { token: 't', as: 'build' },
      { headers: { authorization: 'Bearer t', 'impersonate-user': 'build' } },
    ],
    ['nothing', {}, { headers: {} }],
    ['key', { 'client-key-data': pem('key') }, { headers: {}, key: 'key' }],
    ['key file', { 'client-key': 'key.pem' }, { headers: {}, key: 'from the file' }],
  ])('are those that the Kubernetes client library sends: %s', async (_kind, user, sent) => {
    write('key.pem', 'from the file');
    const path = write('a', { ...whole, users: [{ name: 'u', user }] });
    const [context] = (await readKubeconfig([path])).contexts;
    if (context === undefined) throw new Error('no context');
    const options = {
      context,
      env: {},
      pluginPath: async () => undefined,
      now: Date.now,
      timing: defaultTiming,
    };
    const ours = await createCredentials(options).current();
    expect({ headers: ours.headers, key: ours.key?.toString() }).toEqual(sent);
    if (library === undefined) return;
    const config = new library.KubeConfig();
    config.loadFromFile(path);
    const theirs: TheirCredentials = {};
    await config.applyToHTTPSOptions(theirs);
    const headers = Object.fromEntries(
      Object.entries({
        ...theirs.headers,
        ...(theirs.auth === undefined ? {} : { Authorization: `Basic ${pem(theirs.auth)}` }),
      }).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect({ headers, key: theirs.key?.toString() }).toEqual(sent);
  });

  it('are sent to nobody over plain HTTP but to this machine', async () => {
    const over = async (server: string) => {
      const path = write('a', { ...whole, clusters: [{ name: 'c', cluster: { server } }] });
      const [context] = (await readKubeconfig([path])).contexts;
      if (context === undefined) throw new Error('no context');
      const options = {
        context,
        env: {},
        pluginPath: async () => undefined,
        now: Date.now,
        timing: defaultTiming,
      };
      return (await createCredentials(options).current()).headers;
    };
    expect(await over('http://api.example')).toEqual({});
    expect(await over('http://127.0.0.1:8001')).toEqual({ authorization: 'Bearer secret' });
  });
});
