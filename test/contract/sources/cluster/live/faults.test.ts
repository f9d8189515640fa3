import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import { issueCertificate } from '../../../../../src-main/kube-api/certificates.ts';
import type { Target } from '../../../../../src-shared/api/targets.ts';
import { cuttableNetwork } from '../../../../support/cuttable-network.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../../../support/kube-api.ts';
import { kubeconfigOf, type LiveClusterOptions, liveCluster, pod } from '../../../../support/live-cluster.ts';
import { type TestConsole, testConsole } from '../../../../support/test-console.ts';

// What goes wrong between the console and a cluster, as its pages say it. Waits are those of `quick`; where a test shortens
// more than that, or moves the clock, it says so.

const open: { close(): unknown }[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-faults-'));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

const space = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

async function cluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const api = await startTestCluster([space('shop'), pod('web-1')], options);
  open.push(api);
  return api;
}

/** A console that reads the context `test` of a kubeconfig; `retry` is what its button does. */
async function consoleOn(kubeconfig: string, options: LiveClusterOptions = {}) {
  const live = await liveCluster(kubeconfig, options);
  const console = await testConsole({}, { cluster: live });
  open.push(live, console);
  const cookie = await console.cookie();
  return {
    retry: () => live.retry(),
    namespaces: () => get<Answer & { items: Row[] }>(console, '/api/namespaces', cookie),
    dashboard: () => get<Answer>(console, '/api/dashboard', cookie),
    target: async () => (await get<{ items: Target[] }>(console, '/api/targets', cookie)).items[0],
  };
}

type Answer = { source: string; complete: boolean; unmeasured: string[] };
type Row = { name: string; counts: { pods?: number; services?: number }; warning_events?: number };

async function get<T>(console: TestConsole, path: string, cookie: string): Promise<T> {
  const answer = await fetch(`${console.url}${path}`, { headers: { cookie } });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

/** Asks again for as long as a busy machine may take. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000, interval: 50 });
const whole = { source: 'kubernetes', complete: true, unmeasured: [] };

describe('an API server that is killed', () => {
  it('leaves what was read, says since when and why, and is read on once it is started again', async () => {
    const api = await cluster();
    const pages = await consoleOn(api.kubeconfig);
    expect(await pages.namespaces()).toMatchObject(whole);
    await pages.dashboard();
    await api.stop();
    await soon(pages.target).toMatchObject({
      state: 'unreachable',
      detail: expect.stringMatching(
        / refuses connections: the API server does not run, or listens elsewhere\.$/,
      ),
    });
    const since = expect.stringMatching(
      / has not answered since [\d-]+ [\d:]+ UTC; what is shown is from then\.$/,
    );
    for (const read of [pages.namespaces, pages.dashboard])
      expect(await read()).toMatchObject({
        source: 'kubernetes',
        complete: false,
        unmeasured: expect.arrayContaining([since]),
      });
    expect((await pages.namespaces()).items).toMatchObject([{ name: 'shop', counts: { pods: 1 } }]);
    await api.world.put(space('willow'));
    await api.start();
    await soon(pages.namespaces).toMatchObject({ ...whole, items: [{ name: 'shop' }, { name: 'willow' }] });
    await soon(pages.dashboard).toMatchObject({ source: 'kubernetes', complete: true });
    expect(await pages.target()).toMatchObject({ state: 'ready' });
  });

  it('that was never there is one reason, and nothing is shown as none', async () => {
    const api = await cluster();
    await api.stop();
    const pages = await consoleOn(api.kubeconfig);
    for (const read of [pages.namespaces, pages.dashboard])
      expect(await read()).toMatchObject({
        source: 'unavailable',
        complete: false,
        unmeasured: [expect.stringContaining('refuses connections')],
      });
    expect((await pages.namespaces()).items).toEqual([]);
    await api.start();
    await soon(pages.namespaces).toMatchObject(whole);
  });
});

describe('a network that is cut', () => {
  it('without a word is noticed, and the cluster is read on once it is there again', async () => {
    const api = await cluster();
    const network = await cuttableNetwork(new URL(api.url));
    open.push(network);
    // Stands for a cut of a minute: silence counts after 0.3 s here and 15 s there, an answer is given up after 0.3 s and 5 s.
    const timing = { silence: 300, probe: 300, answer: 500 };
    const path = kubeconfigOf(folder, network.url, { token: 'test-token' });
    const pages = await consoleOn(path, { timing });
    expect(await pages.namespaces()).toMatchObject(whole);
    network.cut();
    await soon(pages.target).toMatchObject({
      state: 'unreachable',
      detail: expect.stringMatching(/ did not answer in time: check the network or the VPN\.$/),
    });
    expect(await pages.namespaces()).toMatchObject({
      source: 'kubernetes',
      complete: false,
      items: [{ name: 'shop', counts: { pods: 1 } }],
    });
    await api.world.put(space('willow'));
    network.mend();
    await soon(pages.namespaces).toMatchObject({ ...whole, items: [{ name: 'shop' }, { name: 'willow' }] });
    expect(await pages.target()).toMatchObject({ state: 'ready' });
  });
});

describe('a token that has expired', () => {
  it('is named with whose it is, and the one the operator puts in its place is used', async () => {
    const api = await cluster({ users: [{ name: 'anna', token: 'first' }] });
    const pages = await consoleOn(kubeconfigOf(folder, api.url, { token: 'first' }));
    expect(await pages.namespaces()).toMatchObject(whole);
    api.users.splice(0, 1, { name: 'anna', token: 'second' });
    api.faults.cutStreams();
    const expired = expect.stringMatching(
      / does not accept the token of anna, which may have expired: renew it in the kubeconfig, then retry\./,
    );
    await soon(pages.target).toMatchObject({ state: 'sign_in', detail: expired });
    await soon(pages.namespaces).toMatchObject({
      source: 'kubernetes',
      complete: false,
      unmeasured: expect.arrayContaining([expired]),
      items: [{ name: 'shop' }],
    });
    expect(await pages.dashboard()).toMatchObject({ complete: false });
    kubeconfigOf(folder, api.url, { token: 'second' });
    await soon(pages.namespaces).toMatchObject(whole);
    expect(await pages.target()).toMatchObject({ state: 'ready' });
  });

  it('of a sign-in program is fetched anew once, for all that read', async () => {
    let ahead = 0;
    const api = await cluster({ users: [{ name: 'anna', token: 'first' }] });
    const login = signInProgram('first');
    const pages = await consoleOn(kubeconfigOf(folder, api.url, login.user), {
      // An hour later, without the sleep that the console would see in it.
      now: () => Date.now() + ahead,
      timing: { asleep: Number.MAX_SAFE_INTEGER },
    });
    expect(await pages.namespaces()).toMatchObject(whole);
    await pages.dashboard();
    expect(login.runs()).toBe(1);
    ahead = 3_600_000;
    api.users.splice(0, 1, { name: 'anna', token: 'second' });
    login.gives('second');
    api.faults.cutStreams();
    await api.world.put(space('willow'));
    await soon(pages.namespaces).toMatchObject({ ...whole, items: [{ name: 'shop' }, { name: 'willow' }] });
    await soon(pages.dashboard).toMatchObject({ complete: true });
    expect(login.runs()).toBe(2);
  });

  it('of a sign-in program that fails is asked for once, however many pages are open, until someone retries', async () => {
    let ahead = 0;
    const api = await cluster({ users: [{ name: 'anna', token: 'first' }] });
    const login = signInProgram('first');
    const pages = await consoleOn(kubeconfigOf(folder, api.url, login.user), {
      now: () => Date.now() + ahead,
      timing: { asleep: Number.MAX_SAFE_INTEGER },
    });
    await pages.namespaces();
    ahead = 3_600_000;
    api.users.splice(0, 1, { name: 'anna', token: 'second' });
    login.fails('open https://login.example in a browser');
    api.faults.cutStreams();
    const detail = expect.stringMatching(
      /^The sign-in program kube-login failed: open https:\/\/login\.example in a browser\. Sign in with it in a terminal, then retry\.$/,
    );
    await soon(pages.namespaces).toMatchObject({ complete: false });
    await soon(pages.target).toMatchObject({ state: 'sign_in', detail });
    for (let round = 0; round < 10; round += 1) await Promise.all([pages.namespaces(), pages.dashboard()]);
    expect((await pages.namespaces()).unmeasured.join(' ')).toContain('Sign in with it in a terminal');
    expect(login.runs()).toBe(2);
    login.gives('second');
    await pages.retry();
    await soon(pages.namespaces).toMatchObject(whole);
    expect(login.runs()).toBe(3);
  });
});

describe('a client certificate that has expired', () => {
  const day = 86_400_000;
  const times = { notBefore: Date.now() - day, notAfter: Date.now() + 30 * day };
  const ca = issueCertificate({ name: 'ca', isCa: true, ...times });
  const signed = (name: string, notAfter: number) =>
    issueCertificate({ name, hosts: ['127.0.0.1'], issuer: { ...ca, name: 'ca' }, ...times, notAfter });
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const client = (notAfter: number) => {
    const { cert, key } = signed('anna', notAfter);
    return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  };

  it('is named with the time it ended, and the renewed one is used', async () => {
    let ahead = 0;
    const api = await cluster({
      users: [{ name: 'anna', certificate: 'anna' }],
      tls: { ...signed('localhost', times.notAfter), clientCa: ca.cert },
    });
    const authority = { 'certificate-authority-data': base64(ca.cert) };
    const path = kubeconfigOf(folder, api.url, client(Date.now() + day), authority);
    // Two days later: the console's clock, by which it judges its own certificate. The server's is left as it is.
    const pages = await consoleOn(path, { now: () => Date.now() + ahead });
    expect(await pages.namespaces()).toMatchObject(whole);
    ahead = 2 * day;
    const expired = expect.stringMatching(
      /^The client certificate of anna expired on [\d-]+ [\d:]+ UTC: renew it, then retry\./,
    );
    await soon(pages.namespaces).toMatchObject({
      complete: false,
      unmeasured: expect.arrayContaining([expired]),
      items: [{ name: 'shop' }],
    });
    expect(await pages.target()).toMatchObject({ state: 'sign_in', detail: expired });
    kubeconfigOf(folder, api.url, client(times.notAfter), authority);
    await soon(pages.namespaces).toMatchObject(whole);
    expect(await pages.target()).toMatchObject({ state: 'ready' });
  });
});

describe('rights to half of what the console reads', () => {
  it('give that half, name each kind of the other, and count none of it as nothing', async () => {
    const denied = new Set(
      resources.everyKind
        .filter(({ plural }, at) => at % 2 === 1 || plural === 'pods')
        .map(({ plural }) => plural),
    );
    denied.delete('namespaces');
    denied.delete('services');
    const user = { name: 'half', token: 'half' };
    const api = await cluster({
      users: [{ ...user, allow: ({ plural, verb }) => verb === 'create' || !denied.has(plural) }],
    });
    const pages = await consoleOn(api.kubeconfig);
    const answer = await pages.namespaces();
    expect(answer).toMatchObject({ source: 'kubernetes', complete: false });
    expect(answer.unmeasured).toContain('Forbidden: list pods in shop.');
    expect(answer.items).toMatchObject([{ name: 'shop', counts: { services: 0 } }]);
    expect(answer.items[0]?.counts).not.toHaveProperty('pods');
    const dashboard = await pages.dashboard();
    expect(dashboard).toMatchObject({ source: 'kubernetes', complete: false });
    expect(dashboard.unmeasured).toContain('Forbidden: list nodes.');
    expect(await pages.target()).toMatchObject({
      state: 'partly',
      detail: expect.stringMatching(/^Forbidden: list \w+( in all namespaces)?\. So are \d+ more kinds\.$/),
    });
    api.users.splice(0, 1, user);
    await soon(pages.namespaces).toMatchObject({ ...whole, items: [{ name: 'shop', counts: { pods: 1 } }] });
    await soon(pages.dashboard).toMatchObject({ complete: true });
    await soon(pages.target).toMatchObject({ state: 'ready' });
  });
});

/** An exec plugin that gives a token, or fails, and notes each of its runs. */
function signInProgram(token: string) {
  const command = join(folder, 'kube-login');
  const runs = join(folder, 'runs');
  writeFileSync(runs, '');
  const does = (script: string): void =>
    writeFileSync(command, `#!/bin/sh\necho run >> "${runs}"\n${script}\n`, { mode: 0o755 });
  const gives = (next: string): void =>
    does(
      `echo '${JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: next },
      })}'`,
    );
  gives(token);
  chmodSync(command, 0o755);
  return {
    user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command } },
    gives,
    fails: (why: string): void => does(`echo "${why}" >&2; exit 1`),
    runs: () => readFileSync(runs, 'utf8').split('\n').length - 1,
  };
}
