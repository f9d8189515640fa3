import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SandboxCluster, startSandboxCluster } from '../../../src-main/sandbox/kubernetes/index.ts';

// The sandbox follows what is written into its API, as a cluster does: what a newcomer puts right there is right.

const folder = mkdtempSync(join(tmpdir(), 'sandbox-rollouts-'));
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

const pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({
        containerStatuses: z.array(
          z.object({
            ready: z.boolean(),
            restartCount: z.number(),
            state: z.looseObject({ waiting: z.object({ reason: z.string() }).optional() }),
            lastState: z.object({ terminated: z.looseObject({ exitCode: z.number() }).optional() }),
          }),
        ),
      }),
    }),
  ),
});
const template = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(
          z.object({ env: z.array(z.object({ name: z.string(), value: z.string().optional() })) }),
        ),
      }),
    }),
  }),
});
const resource = z.object({
  metadata: z.object({ generation: z.number() }),
  spec: z.object({ env: z.array(z.object({ name: z.string(), value: z.string() })).default([]) }),
  status: z.object({
    phase: z.string(),
    observedGeneration: z.number(),
    conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string() })),
  }),
});
const deployment = z.object({
  status: z.object({
    updatedReplicas: z.number(),
    readyReplicas: z.number().default(0),
    replicas: z.number(),
  }),
});

const birch = '/apis/platform.dev/v1alpha1/namespaces/tenant-birch/clientinstances/birch-cockpit';
const willow = '/apis/platform.dev/v1alpha1/namespaces/tenant-willow/clientinstances/willow-cockpit';

describe('what is written into the sandbox', () => {
  let cluster: SandboxCluster;
  let agent: Agent;
  beforeEach(async () => {
    cluster = await startSandboxCluster({ still: true });
    const { clusters } = z
      .object({
        clusters: z.array(z.object({ cluster: z.looseObject({ 'certificate-authority-data': z.string() }) })),
      })
      .parse(load(cluster.kubeconfig));
    const ca = Buffer.from(clusters[0]?.cluster['certificate-authority-data'] ?? '', 'base64').toString();
    agent = new Agent({ connect: { ca } });
  });
  afterEach(async () => {
    await agent.close();
    await cluster.close();
  });

  const ask = async (
    path: string,
    method: 'GET' | 'PATCH' | 'DELETE' = 'GET',
    body?: unknown,
    type = 'merge-patch',
  ) => {
    const { statusCode, body: answer } = await request(`${cluster.url}${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${cluster.token}`, 'content-type': `application/${type}+json` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: statusCode, text: await answer.text() };
  };
  const read = async (path: string): Promise<unknown> => JSON.parse((await ask(path)).text);
  const podsOf = async (namespace: string, app: string) =>
    pods.parse(await read(`/api/v1/namespaces/${namespace}/pods?labelSelector=app%3D${app}`)).items;
  const stands = async (namespace: string, app: string) =>
    (await podsOf(namespace, app)).map(
      ({
        status: {
          containerStatuses: [container],
        },
      }) => (container?.ready ? 'ready' : (container?.state.waiting?.reason ?? 'starting')),
    );
  const logOf = async (namespace: string, app: string, which: 'first' | 'last', previous = false) => {
    const all = await podsOf(namespace, app);
    const { metadata } = all.at(which === 'first' ? 0 : -1) ?? { metadata: { name: '' } };
    return (await ask(`/api/v1/namespaces/${namespace}/pods/${metadata.name}/log?previous=${previous}`)).text;
  };
  const setEnv = async (path: string, change: Readonly<Record<string, string>>) => {
    const { spec } = resource.parse(await read(path));
    const kept = spec.env.filter(({ name }) => !(name in change));
    const env = [...kept, ...Object.entries(change).map(([name, value]) => ({ name, value }))];
    expect((await ask(path, 'PATCH', { spec: { env } })).status).toBe(200);
  };
  const phaseOf = async (path: string) => resource.parse(await read(path)).status.phase;
  const healthOf = async (service: string) => {
    const [namespace, name] = service.split('/');
    return ask(`/api/v1/namespaces/${namespace}/services/${name}:7100/proxy/readyz`);
  };
  const soon = { timeout: 20_000 };

  it('begins with a cockpit that its own backend refuses to start, in its own words, with its exit code', async () => {
    const [pod, ...others] = await podsOf('tenant-birch', 'birch-cockpit');
    expect(others).toEqual([]);
    expect(pod?.status.containerStatuses).toEqual([
      {
        ready: false,
        restartCount: 9,
        state: { waiting: expect.objectContaining({ reason: 'CrashLoopBackOff' }) },
        lastState: { terminated: expect.objectContaining({ exitCode: 1, reason: 'Error' }) },
      },
    ]);
    const words = 'unknown embedding format: EMBEDDING_FORMAT must be qwen3-embedding, nomic-v1.5 or raw.';
    for (const previous of [false, true])
      expect(JSON.parse(await logOf('tenant-birch', 'birch-cockpit', 'first', previous))).toEqual({
        level: 'error',
        msg: words,
      });
    const events = JSON.stringify(await read('/api/v1/namespaces/tenant-birch/events'));
    expect(events).toContain(
      `Back-off restarting failed container birch-cockpit in pod ${pod?.metadata.name}`,
    );
    expect((await healthOf('tenant-birch/birch-cockpit')).status).toBe(503);
    expect(await phaseOf(birch)).toBe('Progressing');
    // What was refused by its settings has left nothing on this machine.
    expect(readdirSync(folder)).toEqual([]);
  });

  it('rolls out a changed instance: its pods run the backend with the new environment, and the old ones go', async () => {
    const [old] = await podsOf('tenant-birch', 'birch-cockpit');
    await setEnv(birch, { EMBEDDING_FORMAT: 'nomic-v1.5' });
    await expect.poll(() => phaseOf(birch), soon).toBe('Ready');
    const now = await podsOf('tenant-birch', 'birch-cockpit');
    expect(now).toHaveLength(1);
    expect(now[0]?.metadata.name).not.toBe(old?.metadata.name);
    expect(now[0]?.status.containerStatuses).toMatchObject([{ ready: true, restartCount: 0 }]);
    expect(await logOf('tenant-birch', 'birch-cockpit', 'first')).toContain(
      'the cockpit backend is listening',
    );
    const health = await healthOf('tenant-birch/birch-cockpit');
    expect([health.status, JSON.parse(health.text).status]).toEqual([200, 'ready']);
    const told = resource.parse(await read(birch));
    expect(told.status).toMatchObject({
      observedGeneration: told.metadata.generation,
      conditions: [{ type: 'Ready', status: 'True', message: 'The backend is ready.' }],
    });
    const slices = await read('/apis/discovery.k8s.io/v1/namespaces/tenant-birch/endpointslices');
    expect(JSON.stringify(slices)).toContain(`"ready":true,"serving":true`);
    expect(JSON.stringify(slices)).toContain(`"name":"${now[0]?.metadata.name}"`);
    const measured = await read('/apis/metrics.k8s.io/v1beta1/namespaces/tenant-birch/pods');
    expect(JSON.stringify(measured)).toContain(now[0]?.metadata.name);
  });

  it('does not heal by another wrong change: the pod of it says what is wrong now', async () => {
    await setEnv(birch, { EMBEDDING_FORMAT: 'raw', OBJECTSTORE_USE_SSL: 'true' });
    await expect
      .poll(() => stands('tenant-birch', 'birch-cockpit'), soon)
      .toEqual(['CrashLoopBackOff', 'CrashLoopBackOff']);
    const logs = await Promise.all(
      (['first', 'last'] as const).map((which) => logOf('tenant-birch', 'birch-cockpit', which)),
    );
    // Started again at once, and failed again.
    const last = logs.find((text) => text.includes('OBJECTSTORE_USE_SSL is set'));
    expect(last?.match(/OBJECTSTORE_USE_SSL is set/g)).toHaveLength(2);
    expect(await phaseOf(birch)).toBe('Progressing');
    await setEnv(birch, { EMBEDDING_FORMAT: 'raw', SQLITE_PATH: 'relative.db' });
    const { spec } = resource.parse(await read(birch));
    const env = spec.env.filter(({ name }) => name !== 'OBJECTSTORE_USE_SSL');
    await ask(birch, 'PATCH', { spec: { env } });
    const said = async () => {
      const all = await podsOf('tenant-birch', 'birch-cockpit');
      const texts = await Promise.all(
        all.map(
          async ({ metadata }) =>
            (await ask(`/api/v1/namespaces/tenant-birch/pods/${metadata.name}/log`)).text,
        ),
      );
      return texts.join('');
    };
    await expect.poll(said, soon).toContain('SQLITE_PATH must be absolute');
  });

  it('keeps what serves while the new pods do not start, and leaves it alone when the change is taken back', async () => {
    const serving = (await podsOf('tenant-willow', 'willow-cockpit')).map(({ metadata }) => metadata.name);
    await setEnv(willow, { INFERENCE_REMOTE_URL: ' ' });
    await expect
      .poll(async () => (await stands('tenant-willow', 'willow-cockpit')).toSorted(), soon)
      .toEqual(['CrashLoopBackOff', 'CrashLoopBackOff', 'ready', 'ready']);
    expect((await healthOf('tenant-willow/willow-cockpit')).status).toBe(200);
    const status = deployment.parse(
      await read('/apis/apps/v1/namespaces/tenant-willow/deployments/willow-cockpit'),
    ).status;
    expect(status).toEqual({ updatedReplicas: 2, readyReplicas: 2, replicas: 4 });
    const names = async () =>
      (await podsOf('tenant-willow', 'willow-cockpit')).map(({ metadata }) => metadata.name);
    const deploymentPath = '/apis/apps/v1/namespaces/tenant-willow/deployments/willow-cockpit';
    const { items } = z
      .object({
        items: z.array(
          z.looseObject({ metadata: z.looseObject({}), spec: z.looseObject({ template: z.unknown() }) }),
        ),
      })
      .parse(await read('/apis/apps/v1/namespaces/tenant-willow/replicasets'));
    const first = items.find(({ metadata }) =>
      JSON.stringify(metadata).includes('"deployment.kubernetes.io/revision":"3"'),
    );
    // As `kubectl rollout undo` does.
    await ask(
      deploymentPath,
      'PATCH',
      [{ op: 'replace', path: '/spec/template', value: first?.spec.template }],
      'json-patch',
    );
    await expect.poll(async () => (await names()).toSorted(), soon).toEqual(serving.toSorted());
  });

  it('rolls out a Deployment that is restarted, and makes a pod anew that is deleted', async () => {
    const path = '/apis/apps/v1/namespaces/cockpit/deployments/cockpit-control';
    const names = async () =>
      (await podsOf('cockpit', 'cockpit-control')).map(({ metadata }) => metadata.name);
    const old = await names();
    const annotations = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };
    await ask(path, 'PATCH', { spec: { template: { metadata: { annotations } } } });
    await expect.poll(() => stands('cockpit', 'cockpit-control'), soon).toEqual(['ready', 'ready']);
    const rolled = await names();
    expect(rolled.filter((name) => old.includes(name))).toEqual([]);
    await ask(`/api/v1/namespaces/cockpit/pods/${rolled[0]}`, 'DELETE');
    await expect
      .poll(
        async () => [await stands('cockpit', 'cockpit-control'), (await names()).includes(rolled[0] ?? '')],
        soon,
      )
      .toEqual([['ready', 'ready'], false]);
    expect((await healthOf('cockpit/cockpit-control')).status).toBe(200);
  });

  it('writes the users into the environment, and last what always wins (BCK-046, BCK-084)', async () => {
    const environment = async () => {
      const live = await read('/apis/apps/v1/namespaces/tenant-birch/deployments/birch-cockpit');
      const { env } = template.parse(live).spec.template.spec.containers[0] ?? { env: [] };
      return env;
    };
    await ask(birch, 'PATCH', { spec: { users: ['tomas@birch.example', 'ida@birch.example'] } });
    await setEnv(birch, { EMBEDDING_FORMAT: 'raw', COCKPIT_TENANT: 'mine' });
    await expect
      .poll(environment, soon)
      .toContainEqual({ name: 'AUTH_ALLOWED_EMAILS', value: 'tomas@birch.example,ida@birch.example' });
    await expect.poll(environment, soon).toContainEqual({ name: 'COCKPIT_TENANT', value: 'mine' });
    expect((await environment()).at(-1)).toEqual({ name: 'COCKPIT_TENANT', value: 'birch' });
    // As it was: setEnv only adds.
    const { spec } = resource.parse(await read(birch));
    const env = spec.env.filter(({ name }) => name !== 'COCKPIT_TENANT');
    await ask(birch, 'PATCH', { spec: { env } });
  });

  it('refuses probes that would restart every pod, and leaves the resource as it was', async () => {
    const { status, text } = await ask(birch, 'PATCH', { spec: { probes: { livenessPath: '/readyz' } } });
    expect([status, text]).toEqual([
      422,
      expect.stringContaining(
        'spec.probes.livenessPath: Invalid value: the liveness probe must not ask /readyz',
      ),
    ]);
    expect(JSON.stringify(await read(birch))).not.toContain('"livenessPath":"/readyz"');
    const live = JSON.stringify(
      await read('/apis/apps/v1/namespaces/tenant-birch/deployments/birch-cockpit'),
    );
    expect(live).toContain('"path":"/livez"');
  });

  it('follows no path of a container on this machine', async () => {
    const file = join(folder, 'of-a-container.db');
    const mesh = join(folder, 'mesh-of-a-container');
    await setEnv(birch, { EMBEDDING_FORMAT: 'raw', SQLITE_PATH: file, MESH_DIR: mesh, APPFS_ROOT: mesh });
    await expect.poll(() => phaseOf(birch), soon).toBe('Ready');
    expect([existsSync(file), existsSync(mesh)]).toEqual([false, false]);
  });

  it('leaves no port and no folder behind, also while something does not start', async () => {
    await setEnv(birch, { EMBEDDING_FORMAT: 'raw' });
    await expect.poll(() => phaseOf(birch), soon).toBe('Ready');
    await setEnv(willow, { EMBEDDING_FORMAT: 'none' });
    await agent.close();
    await cluster.close();
    expect(readdirSync(folder)).toEqual([]);
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    await expect.poll(servers).toBe(0);
    // What is closed at the end of the test is there once more.
    cluster = await startSandboxCluster({ still: true });
    agent = new Agent();
  });
});
