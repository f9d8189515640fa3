import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Named } from '../../../../../src-main/cluster-model/index.ts';
import {
  configMaps,
  deployments,
  events,
  nodes,
  pods,
  services,
} from '../../../../../src-main/cluster-model/kinds/index.ts';
import { issueCertificate, loopbackCertificate } from '../../../../../src-main/kube-api/certificates.ts';
import { startTestCluster, type TestCluster } from '../../../../support/kube-api.ts';
import {
  kubeconfigOf,
  type LiveClusterOptions,
  listUntil,
  liveCluster,
  pod,
} from '../../../../support/live-cluster.ts';

const day = 86_400_000;
const open: { close(): unknown }[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-sign-in-'));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

const kubeconfig = (server: string, user: object, cluster: object = {}): string =>
  kubeconfigOf(folder, server, user, cluster);

async function started(options: Parameters<typeof startTestCluster>[1]): Promise<TestCluster> {
  const api = await startTestCluster([pod('web-1')], options);
  open.push(api);
  return api;
}

async function reading(path: string, options: LiveClusterOptions = {}) {
  const cluster = await liveCluster(path, options);
  open.push(cluster);
  return cluster;
}

/** An executable script that notes each run in `runs`. */
function plugin(script: string): { command: string; runs: () => number } {
  const command = join(folder, 'kube-login');
  const runs = join(folder, 'runs');
  writeFileSync(runs, '');
  writeFileSync(command, `#!/bin/sh\necho run >> "${runs}"\n${script}\n`);
  chmodSync(command, 0o755);
  return { command, runs: () => readFileSync(runs, 'utf8').split('\n').length - 1 };
}

const exec = (command: string, more: object = {}) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args: ['get-token'], ...more },
});

const credential = (token: string, expires?: string): string =>
  `echo '${JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token, ...(expires === undefined ? {} : { expirationTimestamp: expires }) },
  })}'`;

describe('tokens', () => {
  it('says that a token has expired, and goes on with the one the operator puts into the kubeconfig', async () => {
    const api = await started({ users: [{ name: 'anna', token: 'first' }] });
    const cluster = await reading(kubeconfig(api.url, { token: 'first' }));
    expect(await cluster.list(pods)).toMatchObject({ state: 'read', gaps: [] });
    api.users.splice(0, 1, { name: 'anna', token: 'second' });
    api.faults.cutStreams();
    const stale = await listUntil(cluster, pods, ({ state }) => state === 'partly');
    expect(stale.items).toHaveLength(1);
    expect(cluster.status()).toMatchObject({
      state: 'sign_in',
      detail: expect.stringMatching(
        / does not accept the token of anna, which may have expired: renew it in the kubeconfig/,
      ),
    });
    kubeconfig(api.url, { token: 'second' });
    await listUntil(cluster, pods, ({ state }) => state === 'read');
    expect(cluster.status().state).toBe('ready');
  });

  it('takes the token from its file as it is now', async () => {
    const api = await started({ users: [{ name: 'anna', token: 'first' }] });
    const file = join(folder, 'token');
    writeFileSync(file, 'stale\n');
    const cluster = await reading(kubeconfig(api.url, { tokenFile: 'token' }));
    expect(await cluster.list(pods)).toMatchObject({
      state: 'unavailable',
      gaps: [expect.stringContaining('anna')],
    });
    writeFileSync(file, 'first\n');
    await listUntil(cluster, pods, ({ state }) => state === 'read');
  });

  it('reaches its own cluster from within a pod', async () => {
    const { cert, key, ca } = loopbackCertificate(Date.now());
    const api = await started({ users: [{ name: 'console', token: 'pod-token' }], tls: { cert, key } });
    writeFileSync(join(folder, 'token'), 'pod-token');
    writeFileSync(join(folder, 'ca.crt'), ca);
    const { createContexts } = await import('../../../../../src-main/sources/cluster/live/index.ts');
    const { hostname, port } = new URL(api.url);
    const contexts = createContexts({
      files: () => [],
      env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      loginShellPath: false,
      serviceAccount: folder,
    });
    expect(await contexts.list()).toMatchObject([
      { name: 'in-cluster', kind: 'in_cluster', fault: undefined },
    ]);
    const cluster = await contexts.open('in-cluster', {
      writable: () => false,
      namespaces: () => [],
      now: Date.now,
    });
    open.push(cluster);
    expect(await cluster.list(pods)).toMatchObject({ state: 'read', items: { length: 1 } });
  });

  it('renews an OIDC token that has expired, with the refresh token', async () => {
    const token = (seconds: number): string =>
      new UnsecuredJWT({}).setExpirationTime(Math.floor(Date.now() / 1000) + seconds).encode();
    const renewed = token(3600);
    const asked: string[] = [];
    const issuer = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        asked.push(`${request.url} ${body}`);
        const { port } = issuer.address() as AddressInfo;
        response.end(
          JSON.stringify(
            request.url?.startsWith('/.well-known/')
              ? { token_endpoint: `http://127.0.0.1:${port}/token` }
              : { id_token: renewed, refresh_token: 'next' },
          ),
        );
      });
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => issuer.close() });
    const api = await started({ users: [{ name: 'anna', token: renewed }] });
    const config = {
      'idp-issuer-url': `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`,
      'client-id': 'kubernetes',
      'id-token': token(-60),
      'refresh-token': 'given',
    };
    const cluster = await reading(kubeconfig(api.url, { 'auth-provider': { name: 'oidc', config } }));
    expect(await cluster.list(pods)).toMatchObject({ state: 'read' });
    expect(await cluster.list(nodes)).toMatchObject({ state: 'read' });
    expect(asked).toEqual([
      '/.well-known/openid-configuration ',
      '/token grant_type=refresh_token&refresh_token=given&client_id=kubernetes',
    ]);
  });
});

describe('certificates', () => {
  const valid = { notBefore: Date.now() - 2 * day, notAfter: Date.now() + day };
  const ca = issueCertificate({ name: 'ca', isCa: true, ...valid });
  const issuer = { ...ca, name: 'ca' };
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const server = (notAfter: number) =>
    issueCertificate({
      name: 'localhost',
      hosts: ['127.0.0.1'],
      issuer,
      notBefore: valid.notBefore,
      notAfter,
    });
  const client = (notAfter: number) => {
    const { cert, key } = issueCertificate({ name: 'anna', issuer, notBefore: valid.notBefore, notAfter });
    return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  };
  const authority = { 'certificate-authority-data': base64(ca.cert) };
  const users = [{ name: 'anna', certificate: 'anna' }];

  it('signs in with a client certificate', async () => {
    const api = await started({ users, tls: { ...server(valid.notAfter), clientCa: ca.cert } });
    const cluster = await reading(kubeconfig(api.url, client(valid.notAfter), authority));
    expect(await cluster.list(pods)).toMatchObject({ state: 'read', items: { length: 1 } });
  });

  it('says that the client certificate has expired, and uses the renewed one', async () => {
    const api = await started({ users, tls: { ...server(valid.notAfter), clientCa: ca.cert } });
    const cluster = await reading(kubeconfig(api.url, client(Date.now() - day), authority));
    expect(await cluster.list(pods)).toMatchObject({ state: 'unavailable' });
    expect(cluster.status()).toMatchObject({
      state: 'sign_in',
      detail: expect.stringMatching(
        /^The client certificate of anna expired on [\d-]+ [\d:]+ UTC: renew it, then retry\.$/,
      ),
    });
    kubeconfig(api.url, client(valid.notAfter), authority);
    await cluster.retry();
    expect(await listUntil(cluster, pods, ({ state }) => state === 'read')).toMatchObject({
      items: { length: 1 },
    });
  });

  it("says that the server's certificate has expired", async () => {
    const api = await started({ tls: server(Date.now() - day) });
    const cluster = await reading(kubeconfig(api.url, { token: 'test-token' }, authority));
    expect((await cluster.list(pods)).gaps).toEqual([
      expect.stringMatching(
        /^The certificate of 127\.0\.0\.1:\d+ has expired: whoever runs the cluster must renew it\.$/,
      ),
    ]);
    expect(cluster.status().state).toBe('unreachable');
  });

  it('says that nobody it knows has signed the certificate, and trusts it when told to', async () => {
    const api = await started({ tls: server(valid.notAfter) });
    const stranger = await reading(kubeconfig(api.url, { token: 'test-token' }));
    expect((await stranger.list(pods)).gaps[0]).toContain(
      'signed by an authority this machine does not know',
    );
    stranger.close();
    const trusting = await reading(
      kubeconfig(api.url, { token: 'test-token' }, { 'insecure-skip-tls-verify': true }),
    );
    expect(await trusting.list(pods)).toMatchObject({ state: 'read' });
  });

  it('says that the certificate is for another name, and accepts the name it is told', async () => {
    const other = issueCertificate({ name: 'x', hosts: ['api.example'], issuer, ...valid });
    const api = await started({ tls: other });
    const strict = await reading(kubeconfig(api.url, { token: 'test-token' }, authority));
    expect((await strict.list(pods)).gaps[0]).toContain('is for another name');
    const told = await reading(
      kubeconfig(api.url, { token: 'test-token' }, { ...authority, 'tls-server-name': 'api.example' }),
    );
    expect(await told.list(pods)).toMatchObject({ state: 'read' });
  });
});

describe('exec plugins', () => {
  it('runs once for all reads, with what the kubeconfig gives it', async () => {
    const api = await started({ users: [{ name: 'anna', token: 'from-plugin' }] });
    const seen = join(folder, 'seen');
    const login = plugin(`echo "$1 $EXTRA $KUBERNETES_EXEC_INFO" > "${seen}"; ${credential('from-plugin')}`);
    const user = exec(login.command, { env: [{ name: 'EXTRA', value: 'more' }], provideClusterInfo: true });
    const cluster = await reading(kubeconfig(api.url, user));
    const listings = await Promise.all(
      [pods, nodes, events, services, configMaps].map((one) => cluster.list<Named>(one)),
    );
    expect(listings.map(({ state }) => state)).toEqual(Array(5).fill('read'));
    expect(login.runs()).toBe(1);
    const [word, extra, ...info] = readFileSync(seen, 'utf8').split(' ');
    expect([word, extra]).toEqual(['get-token', 'more']);
    expect(JSON.parse(info.join(' '))).toMatchObject({
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: `${api.url}/` } },
    });
  });

  it('says what a failing plugin said last, without its secrets, and is not run again until asked to', async () => {
    const api = await started({ users: [{ name: 'anna', token: 'from-plugin' }] });
    const login = plugin(
      'echo starting >&2; echo "refresh failed for eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0 token=abc" >&2; exit 1',
    );
    const cluster = await reading(kubeconfig(api.url, exec(login.command)));
    const listings = await Promise.all([pods, nodes, deployments].map((one) => cluster.list<Named>(one)));
    expect(listings[0]).toMatchObject({ state: 'unavailable', items: [] });
    expect(listings[0]?.gaps).toEqual([
      'The sign-in program kube-login failed: refresh failed for [hidden] token=[hidden]. Sign in with it in a terminal, then retry.',
    ]);
    expect(cluster.status().state).toBe('sign_in');
    await new Promise((resolve) => setTimeout(resolve, 400));
    await cluster.list(pods);
    expect(login.runs()).toBe(1);
    writeFileSync(login.command, `#!/bin/sh\n${credential('from-plugin')}\n`);
    await cluster.retry();
    await listUntil(cluster, pods, ({ state }) => state === 'read');
    expect(cluster.status().state).toBe('ready');
  });

  it('ends a plugin that hangs, with all it started', async () => {
    const api = await started({});
    const login = plugin(
      `echo "open https://login.example in a browser" >&2; sleep 60 & echo $! > "${folder}/child"; wait`,
    );
    const cluster = await reading(kubeconfig(api.url, exec(login.command)), { timing: { plugin: 500 } });
    const { state, gaps } = await cluster.list(pods);
    expect(state).toBe('unavailable');
    expect(gaps[0]).toContain('did not end within 0.5 s: open https://login.example in a browser.');
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
    expect(login.runs()).toBe(1);
    expect(api.requests).toHaveLength(0);
  });

  it('runs a plugin again for a token that has ended, and not for one that is refused at once', async () => {
    const api = await started({ users: [{ name: 'anna', token: 'from-plugin' }] });
    const login = plugin(credential('from-plugin', new Date(Date.now() + 11_500).toISOString()));
    const cluster = await reading(kubeconfig(api.url, exec(login.command)));
    await cluster.list(pods);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    await cluster.get(pods, 'web-1', 'shop');
    expect(login.runs()).toBe(2);

    const refused = plugin(credential('wrong'));
    const other = await reading(kubeconfig(api.url, exec(refused.command)));
    await other.list(pods);
    await other.list(nodes);
    expect(other.status()).toMatchObject({
      state: 'sign_in',
      detail: expect.stringContaining('does not accept what the sign-in program kube-login gave'),
    });
    expect(refused.runs()).toBe(1);
  });

  it('says that a plugin is not installed, with the hint of its makers', async () => {
    const api = await started({});
    const user = exec('no-such-login', { installHint: 'Install it with\nour package.' });
    const cluster = await reading(kubeconfig(api.url, user));
    expect((await cluster.list(pods)).gaps).toEqual([
      'The sign-in program no-such-login is not found: install it, or put it on PATH. Install it with our package.',
    ]);
  });

  it("looks on the login shell's PATH when it is told to", async () => {
    const api = await started({ users: [{ name: 'anna', token: 'from-plugin' }] });
    plugin(credential('from-plugin'));
    const shell = join(folder, 'shell');
    writeFileSync(shell, `#!/bin/sh\nPATH="${folder}:$PATH"\necho welcome\neval "$2"\n`);
    chmodSync(shell, 0o755);
    const path = kubeconfig(api.url, exec('kube-login'));
    const env = { SHELL: shell, PATH: process.env.PATH };
    const without = await reading(path, { env });
    expect((await without.list(pods)).gaps[0]).toContain('is not found');
    const withIt = await reading(path, { env, loginShellPath: true });
    expect(await withIt.list(pods)).toMatchObject({ state: 'read' });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie waits for a parent that is gone; it does nothing any more.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
