import { describe, expect, it } from 'vitest';
import { CapexService } from '../../../../src-shared/gen/platform/v1/capex_pb.js';
import { labels } from '../../../../src-shared/platform/labels.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { rpcClient } from '../../../support/rpc-client.ts';
import { fleetConsole, minutesAgo, pod, readyPod, workload } from './harness.ts';

const tier = (name: string) => ({ [labels.tier]: name });

describe('the inference plane', () => {
  it('is told as deployed: engine, model, quantisation, context and GPUs (CON-111)', async () => {
    const { read } = await fleetConsole({
      cluster: objectCluster([
        workload('Deployment', 'qwen', 'models', {
          labels: tier('large'),
          container: {
            image: 'vllm/vllm-openai:v0.9.1',
            args: ['--model', 'Qwen/Qwen3-32B-AWQ', '--max-model-len', '32768'],
            resources: {
              requests: { cpu: '4', memory: '32Gi', 'nvidia.com/gpu': '2' },
              limits: { memory: '48Gi', 'nvidia.com/gpu': '2' },
            },
          },
        }),
        workload('StatefulSet', 'small', 'models', {
          labels: tier('small'),
          replicas: 0,
          container: { image: 'ghcr.io/ggml-org/llama.cpp:server', args: ['-m', '/m/Qwen3-8B-Q8_0.gguf'] },
        }),
        workload('Deployment', 'gateway', 'models', { container: { image: 'vllm/vllm-openai:v0.9.1' } }),
      ]),
    });
    const answer = await read('fleet.inference');
    expect(answer.items).toMatchObject([
      {
        kind: 'Deployment',
        name: 'qwen',
        namespace: 'models',
        tier: 'large',
        engine: 'vllm',
        model: 'Qwen/Qwen3-32B-AWQ',
        quantisation: 'awq',
        context_length: 32768,
        gpus: 2,
        image: 'vllm/vllm-openai:v0.9.1',
        replicas_ready: 1,
        replicas_desired: 1,
        requests: { cpu_cores: 4, memory_bytes: 32 * 1024 ** 3, gpus: 2 },
        limits: { memory_bytes: 48 * 1024 ** 3, gpus: 2 },
        out_of_memory: [],
        state: 'healthy',
      },
      { name: 'small', engine: 'llama.cpp', quantisation: 'Q8_0', gpus: 0, state: 'idle' },
    ]);
    expect(answer.items[1]).not.toHaveProperty('context_length');
    expect(answer.tiers.map(({ name, state }) => [name, state])).toEqual([
      ['large', 'healthy'],
      ['small', 'idle'],
    ]);
    expect(answer).toMatchObject({ complete: true, unmeasured: [] });
  });

  it('remembers when pods ran out of memory, also those that are gone', async () => {
    const { read } = await fleetConsole({
      cluster: objectCluster([
        workload('StatefulSet', 'qwen', 'models', {
          labels: tier('large'),
          ready: 0,
          container: { image: 'vllm/vllm-openai' },
        }),
        pod('qwen-0', 'models', {
          owner: ['StatefulSet', 'qwen'],
          status: {
            containerStatuses: [
              {
                name: 'main',
                restartCount: 4,
                state: { waiting: { reason: 'CrashLoopBackOff' } },
                lastState: {
                  terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: minutesAgo(3) },
                },
              },
            ],
          },
        }),
        {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'e1', namespace: 'models' },
          type: 'Warning',
          reason: 'Evicted',
          message: 'The node was low on resource: memory.',
          lastTimestamp: minutesAgo(50),
          involvedObject: { kind: 'Pod', name: 'qwen-1', namespace: 'models' },
        },
        {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'e2', namespace: 'models' },
          type: 'Warning',
          reason: 'BackOff',
          message: 'Back-off restarting failed container',
          lastTimestamp: minutesAgo(1),
          involvedObject: { kind: 'Pod', name: 'qwen-1', namespace: 'models' },
        },
      ]),
    });
    const { items } = await read('fleet.inference');
    expect(items[0]?.out_of_memory).toEqual([
      { pod: 'qwen-0', container: 'main', at: minutesAgo(3), detail: 'OOMKilled, exit code 137' },
      { pod: 'qwen-1', at: minutesAgo(50), detail: 'The node was low on resource: memory.' },
    ]);
    expect(items[0]).toMatchObject({ state: 'failing', reason: expect.stringContaining('qwen-0') });
  });

  it('reads ConfigMaps only where a variable needs them, and says when it may not', async () => {
    const states = { configmaps: { state: 'forbidden' as const, gaps: ['Forbidden: list configmaps.'] } };
    const plain = workload('Deployment', 'a', 'models', {
      labels: tier('t'),
      container: { image: 'ollama/ollama' },
    });
    const referring = workload('Deployment', 'b', 'models', {
      labels: tier('t'),
      container: { image: 'vllm/vllm-openai', envFrom: [{ configMapRef: { name: 'settings' } }] },
    });
    const one = await fleetConsole({ cluster: objectCluster([plain], { states }) });
    expect(await one.read('fleet.inference')).toMatchObject({ complete: true });
    const both = await fleetConsole({ cluster: objectCluster([plain, referring], { states }) });
    expect(await both.read('fleet.inference')).toMatchObject({
      complete: false,
      unmeasured: ['Forbidden: list configmaps.'],
      items: [{ engine: 'ollama' }, { engine: 'vllm' }],
    });
  });
});

describe('allocated compute', () => {
  const node = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { allocatable: { cpu: '8', memory: '32Gi', 'nvidia.com/gpu': '1' } },
  });
  const namespace = (name: string, own: object) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: own },
  });
  const asking = (name: string, ns: string, requests: object, more: object = {}, own: object = {}) =>
    pod(name, ns, {
      labels: own,
      spec: { containers: [{ name: 'main', resources: { requests } }], ...more },
      status: { ...readyPod, startTime: minutesAgo(120) },
    });
  const estate = [
    node('node-1'),
    node('node-2'),
    namespace('shop', { [labels.tenant]: 'willow', [labels.initiative]: 'checkout' }),
    namespace('infra', {}),
    asking('web', 'shop', { cpu: '500m', memory: '1Gi' }),
    asking('search', 'shop', { cpu: '1500m', memory: '3Gi' }, {}, { [labels.initiative]: 'search' }),
    asking(
      'train',
      'shop',
      { cpu: '2', memory: '4Gi', 'nvidia.com/gpu': '1' },
      {},
      { [labels.tenant]: 'alder' },
    ),
    asking('dns', 'infra', { cpu: '4', memory: '8Gi' }),
    asking('waiting', 'shop', { cpu: '100' }, { nodeName: undefined }),
    pod('done', 'shop', {
      spec: { containers: [{ name: 'main', resources: { requests: { cpu: '50' } } }] },
      status: { phase: 'Succeeded' },
    }),
  ];

  it('is told by tenant and initiative of the pod, else of its namespace, with what carries none last (CON-113)', async () => {
    const { read } = await fleetConsole({ cluster: objectCluster(estate) });
    const answer = await read('fleet.finops');
    expect(answer.by_tenant.map(({ name, cpu_cores, pods, gpus }) => [name, cpu_cores, pods, gpus])).toEqual([
      ['alder', 2, 1, 1],
      ['willow', 2, 2, 0],
      [undefined, 4, 1, 0],
    ]);
    expect(answer.by_initiative.map(({ name, cpu_cores }) => [name, cpu_cores])).toEqual([
      ['checkout', 2.5],
      ['search', 1.5],
      [undefined, 4],
    ]);
    expect(answer.by_tenant[1]?.cpu_share).toBe(2 / 16);
    expect(answer.by_tenant[1]?.cpu_core_hours).toBeCloseTo(4, 1);
    expect(answer.by_tenant[1]?.memory_gib_hours).toBeCloseTo(8, 1);
    expect(answer.allocatable).toMatchObject({ cpu_cores: 16, gpus: 2 });
    expect(answer.unallocated).toEqual({ cpu_share: 0.5, memory_share: 0.75 });
  });

  it('is priced by the assets that name its nodes, and says which nodes none names (CON-153)', async () => {
    const hour = 3_600_000;
    const machine = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: { allocatable: { cpu: '8', memory: '32Gi' } },
    });
    const requesting = (name: string, nodeName: string, tenant: string, requests: Record<string, string>) =>
      pod(name, 'shop', {
        labels: { [labels.tenant]: tenant },
        spec: { nodeName, containers: [{ name: 'main', resources: { requests } }] },
        status: { phase: 'Running', startTime: minutesAgo(120) },
      });
    const { read, console_ } = await fleetConsole(
      {
        cluster: objectCluster([
          machine('worker-1'),
          machine('worker-2'),
          machine('edge-1'),
          requesting('web', 'worker-1', 'willow', { cpu: '2', memory: '4Gi' }),
          // The larger share counts: half of the memory, an eighth of the CPU.
          requesting('cache', 'worker-2', 'willow', { cpu: '1', memory: '16Gi' }),
          requesting('kiosk', 'edge-1', 'alder', { cpu: '4', memory: '1Gi' }),
        ]),
      },
      { CONSOLE_SESSION_ADMINS: 'admin@example.com' },
    );
    const before = await read('fleet.finops');
    expect(before.pricing).toEqual({ priced_nodes: [], unpriced_nodes: ['edge-1', 'worker-1', 'worker-2'] });
    expect(before.by_tenant.every((row) => row.costs === undefined)).toBe(true);

    const capex = rpcClient(CapexService, console_.url, {
      cookie: await console_.cookieOf('admin@example.com'),
    });
    const year = new Date().getUTCFullYear();
    const asset = {
      name: 'Two servers',
      currency: 'EUR',
      inServiceOn: `${year - 1}-01-01`,
      lifetimeMonths: 24,
      nodes: ['worker-*'],
    };
    const hours = (Date.UTC(year + 1, 0, 1) - Date.UTC(year - 1, 0, 1)) / hour;
    // Eight euros an hour for both, four for each.
    await capex.createAsset({ asset: { ...asset, priceMinor: BigInt(hours * 800), residualMinor: 0n } });
    const after = await read('fleet.finops');
    expect(after.pricing).toEqual({ priced_nodes: ['worker-1', 'worker-2'], unpriced_nodes: ['edge-1'] });
    const willow = after.by_tenant.find(({ name }) => name === 'willow')?.costs;
    expect(willow).toHaveLength(1);
    expect(willow?.[0]?.currency).toBe('EUR');
    expect(willow?.[0]?.per_hour_minor).toBeCloseTo(400 / 4 + 400 / 2, 5);
    expect(willow?.[0]?.so_far_minor).toBeCloseTo(2 * 300, -1);
    expect(after.by_tenant.find(({ name }) => name === 'alder')).not.toHaveProperty('costs');
  });

  it('has no shares when nodes were not read', async () => {
    const { read } = await fleetConsole({
      cluster: objectCluster(estate, {
        states: { nodes: { state: 'forbidden', gaps: ['Forbidden: list nodes.'] } },
      }),
    });
    const answer = await read('fleet.finops');
    expect(answer).not.toHaveProperty('allocatable');
    expect(answer).not.toHaveProperty('unallocated');
    expect(answer.by_tenant[0]).not.toHaveProperty('cpu_share');
    expect(answer).toMatchObject({ complete: false, unmeasured: ['Forbidden: list nodes.'] });
  });

  it('does not call free what pods that were not read may ask for', async () => {
    const partly = { state: 'partly' as const, gaps: ['Forbidden: list pods in tenant-rowan.'] };
    const { read } = await fleetConsole({ cluster: objectCluster(estate, { states: { pods: partly } }) });
    const answer = await read('fleet.finops');
    expect(answer).not.toHaveProperty('unallocated');
    expect(answer.by_tenant).toHaveLength(3);
    expect(answer.unmeasured).toEqual(['Forbidden: list pods in tenant-rowan.']);
  });
});
