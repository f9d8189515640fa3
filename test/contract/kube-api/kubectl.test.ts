import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serveBundle } from '../../../src-main/commands/bundle.ts';
import { startSandboxCluster } from '../../../src-main/sandbox/kubernetes/index.ts';
import { clientNode, noClientNode } from '../../support/client-node.ts';
import { startTestCluster } from '../../support/kube-api.ts';
import { noRecordings, openapiChecker } from '../../support/kube-api-schemas.ts';
import { repoRoot } from '../../support/repo-root.ts';

const noKubectl =
  spawnSync('kubectl', ['version', '--client']).status === 0
    ? undefined
    : 'skipped: there is no kubectl here';
if (noKubectl !== undefined) console.warn(noKubectl);

const folder = mkdtempSync(join(tmpdir(), 'kube-api-kubectl-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const endings: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Runs kubectl as somebody without settings of their own; what it printed, and said, and how it ended. */
async function kubectl(kubeconfig: string, ...args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    KUBECONFIG: kubeconfig,
    KUBECACHEDIR: `${kubeconfig}.cache`,
  };
  const { promise, resolve } = Promise.withResolvers<{ code: number; out: string; error: string }>();
  execFile('kubectl', args, { env }, (failed, out, error) =>
    resolve({ code: failed === null ? 0 : 1, out, error }),
  );
  return promise;
}

const bundle = join(repoRoot, '../shared/bundles/troubleshoot/baseline-supportbundle-v0.123.tar.gz');

describe.skipIf(noKubectl !== undefined)('kubectl', () => {
  it('applies the platform definitions and a resource of theirs, twice, and deletes it', async () => {
    const cluster = await startTestCluster(
      [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }],
      {
        https: true,
      },
    );
    endings.push(() => cluster.close());
    const { kubeconfig } = cluster;
    const applied = await kubectl(kubeconfig, 'apply', '-f', join(repoRoot, 'resources/crds'));
    expect(applied).toMatchObject({ code: 0, error: '' });
    expect(applied.out.match(/ created/g)).toHaveLength(3);
    const waited = await kubectl(
      kubeconfig,
      'wait',
      '--for=condition=established',
      'crd',
      '--all',
      '--timeout=5s',
    );
    expect(waited.code).toBe(0);
    const file = join(folder, 'instance.yaml');
    const write = (users: string): void =>
      writeFileSync(
        file,
        `apiVersion: platform.dev/v1alpha1
kind: ClientInstance
metadata: { name: willow, namespace: a }
spec: { tenant: willow, controlPlaneRef: { name: cockpit-control }, users: [${users}] }
`,
      );
    write('ines@willow.example');
    expect((await kubectl(kubeconfig, 'apply', '-f', file)).out).toContain('created');
    write('karim@willow.example');
    expect((await kubectl(kubeconfig, 'apply', '-f', file)).out).toContain('configured');
    const printed = await kubectl(kubeconfig, 'get', 'ci', '-n', 'a');
    expect(printed.out).toMatch(/NAME +TENANT +CONTROL-PLANE +PHASE +READY +AGE/);
    expect((await kubectl(kubeconfig, 'get', 'ci', 'willow', '-n', 'a', '-o', 'yaml')).out).toContain(
      'karim@willow',
    );
    expect((await kubectl(kubeconfig, 'delete', 'ci', 'willow', '-n', 'a')).out).toContain('deleted');
    expect((await kubectl(kubeconfig, 'get', 'ci', '-A')).error).toContain('No resources found');
  });

  it('is told what it may do with a bundle: read, and nothing else', async () => {
    const file = join(folder, 'pod.json');
    writeFileSync(
      file,
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'shop' } }),
    );
    const { kubeconfig, close } = await serveBundle(
      file,
      { listen: '127.0.0.1:0' },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    endings.push(close);
    expect(await kubectl(kubeconfig, 'auth', 'can-i', 'list', 'pods', '-n', 'shop')).toMatchObject({
      out: 'yes\n',
      code: 0,
    });
    expect((await kubectl(kubeconfig, 'auth', 'can-i', 'delete', 'pods', '-n', 'shop')).out).toBe('no\n');
    expect((await kubectl(kubeconfig, 'auth', 'can-i', 'get', '/version')).out).toBe('yes\n');
    expect((await kubectl(kubeconfig, 'auth', 'can-i', 'post', '/version')).out).toBe('no\n');
    expect((await kubectl(kubeconfig, 'auth', 'can-i', '--list')).out).toMatch(/\*\.\* .*\[get list watch\]/);
  });

  it.skipIf(noRecordings !== undefined)('reads a bundle and changes nothing of it', async () => {
    const served = await serveBundle(
      bundle,
      { listen: '127.0.0.1:0' },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    endings.push(() => served.close());
    const { kubeconfig } = served;
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    const pods = await kubectl(kubeconfig, 'get', 'pods', '-A');
    expect(pods.out).toMatch(/kube-system +coredns-56f6fc8fd7-p4x9z +1\/1 +Running/);
    expect(pods.out).toMatch(/helm-install-traefik-5wnn9 +0\/1 +Completed/);
    // As old as it was when the bundle was taken.
    expect(pods.out).not.toMatch(/\d{3}d/);
    expect((await kubectl(kubeconfig, 'get', 'nodes', '-o', 'wide')).out).toMatch(
      /primary-node +Ready.*172\.17\.0\.2/,
    );
    const deployments = z
      .object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) })
      .parse(parse((await kubectl(kubeconfig, 'get', 'deploy', '-A', '-o', 'yaml')).out));
    expect(deployments.items.map(({ metadata }) => metadata.name)).toContain('coredns');
    const described = await kubectl(
      kubeconfig,
      'describe',
      'pod',
      '-n',
      'kube-system',
      'coredns-56f6fc8fd7-p4x9z',
    );
    expect(described.out).toContain('Started container coredns');
    const deleted = await kubectl(kubeconfig, 'delete', 'namespace', 'kube-system');
    expect(deleted).toMatchObject({ code: 1 });
    expect(deleted.error).toContain('it can be read, not changed');
    await served.close();
    expect(() => readFileSync(kubeconfig)).toThrow('ENOENT');
  });

  it('restarts, scales, rolls back, drains and deletes in the sandbox', async () => {
    const cluster = await startSandboxCluster();
    endings.push(() => cluster.close());
    const kubeconfig = join(folder, 'sandbox-acts');
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    const apps = async (...args: readonly string[]) => {
      const { code, out, error } = await kubectl(kubeconfig, '-n', 'apps', ...args);
      expect([error, code]).toEqual([expect.not.stringContaining('rror'), 0]);
      return out;
    };
    expect(await apps('scale', 'deployment/harbour-board', '--replicas=3')).toContain('scaled');
    await apps('rollout', 'status', 'deployment/harbour-board', '--timeout=20s');
    expect(await apps('rollout', 'history', 'deployment/harbour-board')).toMatch(/2\s.*\n3\s/);
    await apps('rollout', 'restart', 'deployment/harbour-board');
    await apps('rollout', 'undo', 'deployment/harbour-board', '--to-revision=2');
    expect(await apps('rollout', 'status', 'deployment/harbour-board', '--timeout=20s')).toContain(
      'successfully rolled out',
    );
    const [pod = ''] = (await apps('get', 'pods', '-l', 'app=harbour-board', '-o', 'name')).split('\n');
    await apps('delete', pod, '--wait=false');
    await apps('rollout', 'status', 'deployment/harbour-board', '--timeout=20s');
    const here = async () =>
      (await apps('get', 'pods', '-A', '-o', 'name', '--field-selector=spec.nodeName=worker-3')).split('\n');
    const before = await here();
    await apps('drain', 'worker-3', '--ignore-daemonsets', '--dry-run=server', '--timeout=20s');
    expect(await here()).toEqual(before);
    expect(await apps('drain', 'worker-3', '--ignore-daemonsets', '--timeout=20s')).toContain('drained');
    expect((await here()).length).toBeLessThan(before.length);
    expect(await apps('uncordon', 'worker-3')).toContain('uncordoned');
  });

  it('sees the sandbox and what is wrong in it', async () => {
    const cluster = await startSandboxCluster();
    endings.push(() => cluster.close());
    const kubeconfig = join(folder, 'sandbox');
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    const { out } = await kubectl(kubeconfig, 'get', 'pods', '-A');
    for (const line of [
      /audit-export-\S+ +0\/1 +CrashLoopBackOff +37/,
      /bounce-reader-\S+ +0\/1 +ImagePullBackOff/,
      /quay-metrics-\S+ +0\/1 +Pending/,
      /northgate-medium-\S+ +1\/1 +Running +5 \(23m ago\)/,
    ])
      expect(out).toMatch(line);
    const log = await kubectl(kubeconfig, 'logs', '-n', 'platform', 'deploy/audit-export', '--previous');
    expect(log.out).toContain('cannot export without credentials');
    expect((await kubectl(kubeconfig, 'top', 'pods', '-n', 'inference')).out).toMatch(
      /northgate-large-\S+ +\d+m +\d+Mi/,
    );
    const ready = await kubectl(
      kubeconfig,
      'get',
      '--raw',
      '/api/v1/namespaces/cockpit/services/cockpit-control:7100/proxy/readyz',
    );
    expect(JSON.parse(ready.out)).toMatchObject({ status: 'ready' });
  });
});

it('refuses to serve a bundle to others, and to write over a kubeconfig', async () => {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  await expect(serveBundle(bundle, { listen: '0.0.0.0:0' }, options)).rejects.toThrow('a loopback address');
  if (noRecordings !== undefined) return;
  const mine = join(folder, 'mine');
  writeFileSync(mine, 'mine');
  await expect(serveBundle(bundle, { listen: '127.0.0.1:0', kubeconfig: mine }, options)).rejects.toThrow(
    'already exists',
  );
  expect(readFileSync(mine, 'utf8')).toBe('mine');
});

const library = clientNode();
if (library === undefined) console.warn(`skipped: ${noClientNode}`);

it.skipIf(library === undefined)(
  'forwards a port of a pod to what listens there, as the client library asks for it',
  async () => {
    if (library === undefined) return;
    const { KubeConfig, PortForward } = library;
    const server = createServer((request, response) => response.end(`hello ${request.url}`));
    await promisify<void>((done) => server.listen(0, '127.0.0.1', () => done(null)))();
    endings.push(() => server.close() && undefined);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const cluster = await startTestCluster(
      [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'a' }, spec: { containers: [] } }],
      {
        https: true,
        portOf: (_namespace, pod, wanted) =>
          pod === 'p' && wanted === 8080 ? { host: '127.0.0.1', port } : undefined,
      },
    );
    endings.push(() => cluster.close());
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig);
    const ask = async (wanted: number) => {
      const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
      await new PortForward(config, false).portForward('a', 'p', [wanted], output, errors, input);
      input.write('GET /x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
      const { promise, resolve } = Promise.withResolvers<string>();
      let text = '';
      const take = (piece: Buffer): void => {
        text += piece.toString();
        if (/hello|refused/.test(text)) resolve(text);
      };
      output.on('data', take);
      errors.on('data', take);
      return promise;
    };
    expect(await ask(8080)).toContain('hello /x');
    expect(await ask(8081)).toContain('error forwarding port 8081 to pod p: connection refused');
  },
);

it.skipIf(noRecordings !== undefined)('makes a sandbox that the real OpenAPI allows', async () => {
  const check = openapiChecker();
  const cluster = await startSandboxCluster();
  endings.push(() => cluster.close());
  let checked = 0;
  for (const kind of cluster.world.kinds())
    for (const object of await cluster.world.list(kind)) {
      const wrong = check(object);
      if (wrong === undefined) continue;
      checked += 1;
      expect({ kind: object.kind, name: object.metadata.name, wrong }).toMatchObject({ wrong: [] });
    }
  expect(checked).toBeGreaterThan(200);
});
