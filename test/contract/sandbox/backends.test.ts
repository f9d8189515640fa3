import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BackendLog } from '../../../src-main/backends/serving/index.ts';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { openDoor } from '../../../src-main/sandbox/kubernetes/door.ts';
import { type SandboxCluster, startSandboxCluster } from '../../../src-main/sandbox/kubernetes/index.ts';
import { endpointOf } from '../../../src-main/sandbox/listening.ts';
import { createContexts } from '../../../src-main/sources/cluster/live/index.ts';
import { type ControlPlane, controlPlane } from '../../../src-shared/api/cluster.ts';
import { effectiveProbes } from '../../../src-shared/platform/probes.ts';
import { testConsole } from '../../support/test-console.ts';

// The backends of this repository behind the sandbox's pods, asked through its Kubernetes API.

const folder = mkdtempSync(join(tmpdir(), 'sandbox-backends-'));
const before = process.env.TMPDIR;
beforeAll(() => {
  // Where the sandbox makes its folder.
  process.env.TMPDIR = folder;
});
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(folder, { recursive: true });
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Asked = { readonly status: number; readonly body: Record<string, unknown> };
type Sandbox = SandboxCluster & {
  /** What a service of the sandbox answers, through the proxy of its API. */
  ask(service: string, path: string): Promise<Asked>;
  object(path: string): Promise<KubeObject>;
};

async function sandbox(options: Parameters<typeof startSandboxCluster>[0] = {}): Promise<Sandbox> {
  const cluster = await startSandboxCluster({ still: true, ...options });
  closing.push(() => cluster.close());
  const kubeconfig = kubeconfigOf(cluster);
  const contexts = createContexts({ files: () => [kubeconfig], loginShellPath: false, env: {} });
  const api = await contexts.open('sandbox', { writable: () => true, namespaces: () => [], now: Date.now });
  closing.push(() => api.close());
  const get = async (path: string): Promise<Asked> => {
    const read = await api.httpGet(path, AbortSignal.timeout(20_000));
    if (read.state === 'unread') throw new Error(read.reason);
    return { status: read.status, body: JSON.parse(read.body) };
  };
  return {
    ...cluster,
    ask: (service, path) => {
      const [namespace, name, port] = service.split('/');
      return get(`/api/v1/namespaces/${namespace}/services/${name}:${port}/proxy${path}`);
    },
    // As the API answers it: a KubeObject by its own contract.
    object: async (path) => (await get(path)).body as unknown as KubeObject,
  };
}

function kubeconfigOf(cluster: SandboxCluster): string {
  const file = join(mkdtempSync(join(folder, 'kubeconfig-')), 'kubeconfig');
  writeFileSync(file, cluster.kubeconfig);
  return file;
}

/** End of the CA in the Secret of a namespace, as an answer has it. */
async function caEnd(cluster: Sandbox, namespace: string): Promise<string> {
  const secret = await cluster.object(`/api/v1/namespaces/${namespace}/secrets/mesh-ca`);
  const data = secret.data as Record<string, string>;
  const ca = new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
  return new Date(ca.validTo).toISOString();
}

const control = 'cockpit/cockpit-control/7100';
const made = (): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('operator-console-sandbox-'));

describe('the backends of the sandbox', () => {
  it('are the control plane, ready with the mesh CA that the Secret of its namespace holds', async () => {
    const cluster = await sandbox();
    expect(await cluster.ask(control, '/livez')).toEqual({ status: 200, body: { status: 'alive' } });
    expect(await cluster.ask(control, '/readyz')).toEqual({
      status: 200,
      body: {
        status: 'ready',
        checks: [
          expect.objectContaining({
            name: 'mesh_identity',
            status: 'pass',
            expires_at: await caEnd(cluster, 'cockpit'),
          }),
          expect.objectContaining({ name: 'raft_consensus', status: 'skipped' }),
        ],
      },
    });
    const willow = await cluster.ask('tenant-willow/willow-cockpit/7100', '/readyz');
    expect(JSON.stringify(willow.body)).toContain(await caEnd(cluster, 'tenant-willow'));
  });

  it('are a runner whose rotated leaf does not chain to the CA it loaded: alive and not ready', async () => {
    const cluster = await sandbox();
    const runner = 'cockpit/cockpit-runner/7102';
    expect(await cluster.ask(runner, '/readyz')).toMatchObject({
      status: 503,
      body: {
        status: 'not_ready',
        checks: [
          {
            name: 'mesh_identity',
            status: 'fail',
            detail: expect.stringContaining('does not chain to the CA that was loaded at start'),
            expires_at: await caEnd(cluster, 'cockpit'),
          },
          { name: 'raft_consensus', status: 'skipped' },
        ],
      },
    });
    expect((await cluster.ask(runner, '/livez')).status).toBe(200);
  });

  it('are an instance whose mesh CA ended while it ran', async () => {
    const cluster = await sandbox();
    const { status, body } = await cluster.ask('tenant-aspen/aspen-cockpit/7100', '/readyz');
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain(`The mesh CA expired ${await caEnd(cluster, 'tenant-aspen')}`);
  });

  it('are the campaign backend, which asks the inference engine of the sandbox for its models', async () => {
    const cluster = await sandbox();
    const campaign = 'campaign/campaign-control/7100';
    const { status, body } = await cluster.ask(campaign, '/health');
    expect([status, body]).toEqual([200, { status: 'ok', model_ready: true, port: expect.any(Number) }]);
    const direct = await fetch(`http://127.0.0.1:${body.port}/auth/config`);
    expect(await direct.json()).toEqual((await cluster.ask(campaign, '/auth/config')).body);
    // A route of the real one, behind its session.
    expect((await fetch(`http://127.0.0.1:${body.port}/media/nothing`)).status).toBe(401);
  });

  it('start when they are first asked, once for all who ask at the same time, and write to the logs of their pods', async () => {
    const cluster = await sandbox();
    expect(made()).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => cluster.ask(control, '/livez')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(made()).toHaveLength(1);
    const { items } = (await cluster.object(
      '/api/v1/namespaces/cockpit/pods?labelSelector=app%3Dcockpit-control',
    )) as unknown as { items: KubeObject[] };
    const pod = items[0]?.metadata.name ?? '';
    const { signal } = new AbortController();
    const place = { namespace: 'cockpit', pod, container: 'cockpit-control' };
    const pieces: string[] = [];
    const log = await cluster.world.logs({ ...place, previous: false, follow: false, signal });
    for await (const piece of log ?? []) pieces.push(Buffer.from(piece).toString());
    expect(pieces.join('').match(/the cockpit backend is listening/g)).toHaveLength(1);
  });

  it('leave no folder and no port behind', async () => {
    const servers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const open = servers();
    const cluster = await sandbox();
    await Promise.all([
      cluster.ask(control, '/readyz'),
      cluster.ask('campaign/campaign-control/7100', '/health'),
      cluster.ask('cockpit/cockpit-runner/7102', '/readyz'),
    ]);
    expect(made()).toHaveLength(1);
    for (const close of closing.splice(0).reverse()) await close();
    expect(made()).toEqual([]);
    await expect.poll(servers).toBe(open);
  });

  it('that cannot start leave the sandbox as it is: nobody listens on their port, and the log says why', async () => {
    const told: { fields: object; message: string }[] = [];
    const log: BackendLog = {
      info: () => undefined,
      warn: (fields, message) => void told.push({ fields, message }),
      error: () => undefined,
    };
    const cluster = await sandbox({ log });
    process.env.TMPDIR = join(folder, 'not', 'there');
    try {
      for (let times = 0; times < 2; times++) {
        const { status, body } = await cluster.ask(control, '/livez');
        expect([status, body.kind, body.reason]).toEqual([503, 'Status', 'ServiceUnavailable']);
      }
    } finally {
      process.env.TMPDIR = folder;
    }
    expect(told).toEqual([
      {
        message: "the sandbox's cockpit-control in cockpit did not start",
        fields: { reason: expect.stringContaining('ENOENT') },
      },
    ]);
    expect((await cluster.object('/api/v1/namespaces/cockpit')).kind).toBe('Namespace');
    // An engine is no such backend.
    const metrics = await fetchText(cluster, 'inference', 'northgate-large', 8000, '/metrics');
    expect(metrics).toContain('vllm:prompt_tokens_total');
  });
});

async function fetchText(cluster: Sandbox, namespace: string, name: string, port: number, path: string) {
  const kubeconfig = kubeconfigOf(cluster);
  const contexts = createContexts({ files: () => [kubeconfig], loginShellPath: false, env: {} });
  const api = await contexts.open('sandbox', { writable: () => true, namespaces: () => [], now: Date.now });
  closing.push(() => api.close());
  const read = await api.httpGet(
    `/api/v1/namespaces/${namespace}/services/${name}:${port}/proxy${path}`,
    AbortSignal.timeout(20_000),
  );
  return read.state === 'unread' ? read.reason : read.body;
}

describe('a door before a server that is started by who comes first', () => {
  it('passes on who came before it was there, and cuts what is open when it closes', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/open') response.write('half');
      else response.end(`hello ${request.url}`);
    });
    closing.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    let starts = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const door = await openDoor(async () => {
      starts += 1;
      await held;
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return endpointOf(server);
    });
    closing.push(() => door.close());
    const url = `http://127.0.0.1:${door.endpoint()?.port}`;
    const waiting = Array.from({ length: 5 }, (_, index) =>
      fetch(`${url}/${index}`).then((answer) => answer.text()),
    );
    // One that left before there was anybody to talk to.
    await expect(fetch(url, { signal: AbortSignal.timeout(20) })).rejects.toThrow();
    letGo();
    expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4].map((index) => `hello /${index}`));
    expect(starts).toBe(1);
    const open = await fetch(`${url}/open`);
    await door.close();
    await expect(open.text()).rejects.toThrow();
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe('the control planes of the sandbox', () => {
  let planes: readonly ControlPlane[];
  beforeAll(async () => {
    const cluster = await startSandboxCluster({ still: true });
    const kubeconfig = kubeconfigOf(cluster);
    const contexts = createContexts({ files: () => [kubeconfig], loginShellPath: false, env: {} });
    const api = await contexts.open('sandbox', { writable: () => true, namespaces: () => [], now: Date.now });
    const console_ = await testConsole({}, { cluster: api });
    const cookie = await console_.cookie();
    // Each backend starts when it is first asked, which on a busy machine takes longer than a health endpoint is waited for.
    await vi.waitFor(async () => {
      const answer = await fetch(`${console_.url}/api/control-planes`, { headers: { cookie } });
      planes = controlPlane.array().parse(((await answer.json()) as { items: unknown }).items);
      const unread = planes.filter(({ health }) =>
        [health?.livez, health?.readyz].some((each) => each?.state === 'not_read'),
      );
      expect(unread.map(({ name }) => name)).toEqual([]);
    }, 50_000);
    await console_.close();
    await api.close();
    await cluster.close();
  });
  const plane = (name: string): ControlPlane => {
    const found = planes.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no control plane ${name}`);
    return found;
  };

  it('run the probes that the one rule makes of their settings, but for what was changed by hand', () => {
    expect(planes).toHaveLength(7);
    for (const each of planes) {
      const byProbes = each.drift.filter(({ field }) => field.startsWith('probes.'));
      if (each.name === 'willow-cockpit')
        expect(each.drift).toEqual([
          { field: 'env.LOG_LEVEL', live: 'debug', wanted: 'info', manager: 'kubectl-edit' },
          {
            field: 'probes.readiness.failure_threshold',
            live: '30',
            wanted: '3',
            manager: 'kubectl-edit',
          },
        ]);
      else expect(byProbes).toEqual([]);
    }
    expect(plane('cockpit-runner').live_probes?.startup).toMatchObject({
      port: '7102',
      failure_threshold: 60,
    });
  });

  it('that were refused keep the probes of no settings', () => {
    const rowan = plane('rowan-cockpit');
    expect(rowan.probe_refusals).toHaveLength(1);
    expect(rowan.live_probes).toEqual(effectiveProbes({}, '7100').probes);
  });

  it('stand as their backends do, with every reason, and when their mesh CA ends', () => {
    expect(planes.map(({ name, state }) => [name, state])).toEqual([
      ['cockpit-control', 'healthy'],
      ['cockpit-runner', 'failing'],
      ['campaign-control', 'healthy'],
      ['aspen-cockpit', 'failing'],
      ['birch-cockpit', 'failing'],
      ['rowan-cockpit', 'degraded'],
      ['willow-cockpit', 'degraded'],
    ]);
    expect(plane('cockpit-runner').reasons).toEqual([
      '/readyz answered 503 not_ready; failing: mesh_identity',
    ]);
    expect(plane('willow-cockpit').reasons).toEqual([
      'its mesh CA expires in 11 days',
      '2 fields of its live Deployment will be put back by the operator',
    ]);
    const [mesh] = plane('willow-cockpit').health?.readyz?.checks ?? [];
    expect(mesh).toEqual({ name: 'mesh_identity', status: 'pass', expires_at: expect.any(String) });
    expect(plane('campaign-control').health?.livez).toMatchObject({
      path: '/health',
      state: 'pass',
      model_ready: true,
    });
  });
});
