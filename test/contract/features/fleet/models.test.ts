import { describe, expect, it } from 'vitest';
import { labels } from '../../../../src-shared/platform/labels.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { fleetConsole, pod, readyPod, workload } from './harness.ts';

const cards = (name: string, data: Record<string, string>, marked = 'true') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'models', labels: { 'platform.dev/model-card': marked } },
  data,
});

const service = (name: string, port: number) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'models' },
  spec: { selector: { app: name }, ports: [{ name: 'http', port }] },
});

const qwen = (replicas = 1, ready = replicas) =>
  workload('Deployment', 'qwen', 'models', {
    labels: { [labels.tier]: 'large' },
    replicas,
    ready,
    container: {
      image: 'vllm/vllm-openai',
      args: ['--model', 'Qwen/Qwen3-32B-AWQ'],
      ports: [{ name: 'http', containerPort: 8000 }],
    },
  });

const read = async (
  objects: Parameters<typeof objectCluster>[0],
  options: Parameters<typeof objectCluster>[1] = {},
) => {
  const console_ = await fleetConsole({ cluster: objectCluster(objects, options) });
  const { items, ...answer } = await console_.read('fleet.models');
  return { answer, items, card: Object.fromEntries(items.map((item) => [item.name, item])) };
};

const metrics = (prompt: number, generated: number, own = '') => ({
  status: 200,
  body: `vllm:prompt_tokens_total{model_name="q"${own}} ${prompt}\nvllm:generation_tokens_total{model_name="q"${own}} ${generated}\n`,
});

describe('model cards', () => {
  it('come with the console, and are idle while nothing serves them (CON-112)', async () => {
    const { items, card, answer } = await read([]);
    expect(items.length).toBeGreaterThanOrEqual(4);
    for (const item of items) {
      expect(item).toMatchObject({ found_in: 'resources', verdict: 'idle', live: [], catalogue: true });
      expect(item).not.toHaveProperty('tokens');
      expect(item).not.toHaveProperty('models');
    }
    expect(card['qwen3-32b']).toMatchObject({ licence: 'Apache-2.0', parameters_billion: 32.8 });
    expect(answer).toMatchObject({ complete: true, unmeasured: [] });
  });

  it('of the platform win over those of the same name, and faulty ones are named', async () => {
    const { card, answer } = await read([
      cards('own', {
        'qwen.yaml': 'name: qwen3-32b\ntitle: Our Qwen\ntiers: [large]\n',
        'broken.yaml': 'name: [',
        'nameless.yaml': 'title: Nobody',
      }),
      cards('unmarked', { 'x.yaml': 'name: x\ntitle: X' }, 'false'),
    ]);
    expect(card['qwen3-32b']).toMatchObject({ title: 'Our Qwen', found_in: 'ConfigMap models/own' });
    expect(card).not.toHaveProperty('x');
    expect(answer.unmeasured).toEqual([
      'The model card broken.yaml in ConfigMap models/own was not understood: it is no YAML.',
      expect.stringMatching(
        /^The model card nameless\.yaml in ConfigMap models\/own was not understood: "name"/,
      ),
    ]);
  });

  it('are joined with what serves them, whatever spelling and quantisation it has', async () => {
    const { card } = await read([
      qwen(2, 1),
      workload('Deployment', 'spare', 'models', {
        labels: { [labels.tier]: 'spare' },
        container: { image: 'ghcr.io/ggml-org/llama.cpp:server', args: ['-m', '/m/Qwen3-32B-Q4_K_M.gguf'] },
      }),
      workload('Deployment', 'other', 'models', {
        labels: { [labels.tier]: 'large' },
        container: { image: 'vllm/vllm-openai', args: ['--model', 'Qwen/Qwen3-8B'] },
      }),
    ]);
    expect(card['qwen3-32b']).toMatchObject({
      live: [
        { tier: 'large', workload: 'qwen', namespace: 'models', replicas_ready: 1, replicas_desired: 2 },
        { tier: 'spare', workload: 'spare' },
      ],
      verdict: 'degraded',
      reason: expect.stringContaining('1 of 2'),
    });
    expect(card['gpt-oss-20b']).toMatchObject({ live: [], verdict: 'idle', reason: 'no workload serves it' });
  });

  it('say which model serves their tier instead', async () => {
    const { card } = await read([
      cards('own', { 'm.yaml': 'name: mixtral\ntitle: Mixtral\ntiers: [large]\n' }),
      qwen(),
    ]);
    expect(card.mixtral).toMatchObject({
      verdict: 'idle',
      reason: 'no workload serves it: large serves Qwen/Qwen3-32B-AWQ',
    });
  });

  it('tell token use and compute units of tenants from the metrics of the engine (CON-112)', async () => {
    const { card, answer } = await read([qwen(), service('qwen', 80)], {
      http: {
        '/api/v1/namespaces/models/services/qwen:80/proxy/metrics': metrics(7000, 3000, ',tenant="willow"'),
      },
    });
    expect(card['qwen3-32b']).toMatchObject({
      tokens: { prompt: 7000, generated: 3000 },
      tenant_units: [{ tenant: 'willow', units: 10 }],
    });
    expect(answer).toMatchObject({ complete: true, unmeasured: [] });
  });

  it('ask every replica for itself, because a Service gives the counters of any one', async () => {
    const replica = (name: string) =>
      pod(name, 'models', {
        owner: ['ReplicaSet', 'qwen-abc'],
        labels: { 'pod-template-hash': 'abc' },
        status: readyPod,
      });
    const path = (name: string) => `/api/v1/namespaces/models/pods/${name}:8000/proxy/metrics`;
    const { card } = await read(
      [qwen(2), service('qwen', 80), replica('qwen-abc-1'), replica('qwen-abc-2')],
      {
        http: { [path('qwen-abc-1')]: metrics(10, 1), [path('qwen-abc-2')]: metrics(20, 2) },
      },
    );
    expect(card['qwen3-32b']).toMatchObject({ tokens: { prompt: 30, generated: 3 } });
    expect(card['qwen3-32b']).not.toHaveProperty('tenant_units');
  });

  it('count the tokens of a workload once, however many cards describe it (CON-112)', async () => {
    const { items, card } = await read(
      [
        cards('own', {
          'one.yaml': 'name: ours\ntitle: Ours\nmodels: [Qwen/Qwen3-32B]\n',
          'two.yaml': 'name: again\ntitle: Again\nmodels: [qwen3:32b]\n',
        }),
        qwen(),
        service('qwen', 8000),
      ],
      { http: { '/api/v1/namespaces/models/services/qwen:8000/proxy/metrics': metrics(700, 300) } },
    );
    const counted = items.filter(({ tokens }) => tokens !== undefined);
    expect(counted.map(({ name, tokens }) => [name, tokens])).toEqual([
      ['ours', { prompt: 700, generated: 300 }],
    ]);
    for (const name of ['ours', 'again', 'qwen3-32b'])
      expect(card[name]).toMatchObject({ catalogue: false, live: [{ workload: 'qwen' }] });
    expect([card.ours?.tokens_on, card.again?.tokens_on]).toEqual([undefined, 'Ours']);
  });

  it('have no token use when the metrics were not read, and the answer says why', async () => {
    const { card, answer } = await read([qwen(), service('qwen', 80)]);
    expect(card['qwen3-32b']).not.toHaveProperty('tokens');
    expect(answer).toMatchObject({
      complete: false,
      unmeasured: ['Token use of models/qwen was not read: connection refused.'],
    });
  });

  it('are not judged when workloads were not read', async () => {
    const { card, answer } = await read([], {
      states: { 'deployments.apps': { state: 'forbidden', gaps: ['Forbidden: list deployments.'] } },
    });
    expect(card['qwen3-32b']).toMatchObject({ verdict: 'not_read' });
    expect(answer).toMatchObject({ complete: false, unmeasured: ['Forbidden: list deployments.'] });
  });
});
