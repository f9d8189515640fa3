import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteOf } from '../../../../src-shared/api/index.ts';
import { intelligenceRoutes } from '../../../../src-shared/api/intelligence.ts';
import type { JsonAnswer } from '../../../../src-shared/api/route.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { readAs, report } from '../../../support/report-doors.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'admin@example.com';
const namespace = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});
const tenant = { 'platform.dev/tenant': 'acme' };
const cluster = objectCluster([
  namespace('kube-system'),
  namespace('shop', { ...tenant, 'pod-security.kubernetes.io/enforce': 'restricted' }),
  namespace('till', { ...tenant, 'pod-security.kubernetes.io/enforce': 'privileged' }),
  namespace('lab', { 'pod-security.kubernetes.io/enforce': 'baseline' }),
  ...['shop', 'till', 'lab'].map((name) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'all', namespace: name },
    spec: {},
    status: {},
  })),
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'deny', namespace: 'shop' },
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  },
]);

type Id = (typeof intelligenceRoutes)[number]['id'];

/** Reads a route as a page does: an answer that is not as the contract says fails the test. */
async function read<I extends Id>(console_: TestConsole, id: I, query = ''): Promise<JsonAnswer<RouteOf<I>>> {
  const route = intelligenceRoutes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`There is no route ${id}.`);
  const { status, body } = await readAs(console_, `${route.path}${query}`, {
    cookie: await console_.cookieOf(admin),
  });
  expect(status).toBe(200);
  // The schema is that of the route of this id, which the lookup above does not tell the compiler.
  return route.answer.parse(body) as JsonAnswer<RouteOf<I>>;
}
const readPlain = async (console_: TestConsole, path: string) =>
  (await readAs(console_, path, { cookie: await console_.cookieOf(admin) })).body as never;

const minute = 60_000;
const begun = Date.now() - 600 * minute;
const iso = (ms: number) => new Date(ms).toISOString();

describe('figures derived from what other routes answer', () => {
  let console_: TestConsole;
  beforeAll(async () => {
    console_ = await testConsole(
      { CONSOLE_SESSION_ADMINS: admin },
      { cluster, agentTokens: { fleet: { app: 'fleet', installation: 1 } } },
    );
    const run = (index: number, state: string, seconds?: number) => ({
      run_id: `run-${index}`,
      agent: index < 18 ? 'reviewer' : 'doctor',
      state,
      started_at: iso(begun + index * minute),
      ...(seconds === undefined ? {} : { ended_at: iso(begun + index * minute + seconds * 1000) }),
    });
    // 21 runs that ended: then a quantile of 0.5 and one of 0.95 are durations of runs, the 11th and the 20th.
    for (let index = 0; index < 21; index += 1)
      await report(
        console_,
        '/api/session-runs',
        'fleet',
        run(index, index % 7 === 6 ? 'failure' : 'success', ((index * 8) % 21) + 10),
      );
    await report(console_, '/api/session-runs', 'fleet', run(21, 'cancelled', 5000));
    await report(console_, '/api/session-runs', 'fleet', run(22, 'running'));
  });
  afterAll(() => console_?.close());

  it('the swarm counts runs, and durations of those that ended, as the runs say (CON-130)', async () => {
    const swarm = await read(console_, 'intelligence.swarm');
    const { items } = (await readPlain(console_, '/api/runs?limit=1000')) as {
      items: { name: string; state: string; took_seconds?: number }[];
    };
    expect(swarm.window_days).toBe(7);
    expect(swarm.runs.runs).toBe(items.length);
    for (const state of ['success', 'failure', 'cancelled', 'running'] as const)
      expect([state, swarm.runs.states[state]]).toEqual([
        state,
        items.filter((each) => each.state === state).length,
      ]);
    const took = items
      .filter(({ state }) => state === 'success' || state === 'failure')
      .map(({ took_seconds = Number.NaN }) => took_seconds);
    const { sample, p50_seconds = Number.NaN, p95_seconds = Number.NaN } = swarm.runs.latency;
    // Another way: by how many runs were quicker, and how many took longer.
    const around = (value: number) => [
      took.filter((each) => each < value).length,
      took.filter((each) => each > value).length,
    ];
    expect([sample, around(p50_seconds), around(p95_seconds)]).toEqual([21, [10, 10], [19, 1]]);
    expect(swarm.by_name.map(({ name, runs }) => [name, runs])).toEqual([
      ['reviewer', 18],
      ['doctor', 5],
    ]);
    // Three of its five runs ended: too few for durations.
    expect(swarm.by_name[1]?.latency).toEqual({ sample: 3 });
  });

  it('compliance judges each control from evidence, and has no score (CON-135)', async () => {
    const answer = await read(console_, 'intelligence.compliance');
    const { namespaces } = (await readPlain(console_, '/api/governance')) as {
      namespaces: {
        name: string;
        system: boolean;
        quotas: number;
        network_policies: { default_deny_ingress: boolean };
        pod_security: { enforce: string };
        tenant?: string;
      }[];
    };
    const own = namespaces.filter(({ system }) => !system);
    const control = (id: string) => answer.controls.find((each) => each.id === id);
    const expected = {
      'default-deny': own.filter((each) => each.network_policies.default_deny_ingress),
      quotas: own.filter((each) => each.quotas > 0),
      'pod-security': own.filter((each) => /baseline|restricted/.test(each.pod_security.enforce)),
      ownership: own.filter((each) => each.tenant !== undefined),
    };
    for (const [id, met] of Object.entries(expected)) {
      const judged = control(id);
      expect([id, judged?.share]).toEqual([id, { part: met.length, whole: own.length }]);
      expect([id, judged?.outcome]).toEqual([id, met.length === own.length ? 'pass' : 'fail']);
      for (const { name } of own)
        expect([id, name, judged?.finding.includes(name)]).toEqual([
          id,
          name,
          !met.some((each) => each.name === name),
        ]);
    }
    expect(control('quotas')?.outcome).toBe('pass');
    expect(control('backup')).toMatchObject({ outcome: 'unmeasured', evidence: [] });
    expect(control('sign-in')?.outcome).toBe('pass');
    expect(control('allowlist-console-agent-admins')?.outcome).toBe('fail');
    expect(new Set(answer.controls.map(({ area }) => area))).toEqual(
      new Set(['access_control', 'audit', 'encryption', 'backup', 'isolation', 'ownership']),
    );
    for (const each of answer.controls.filter(({ outcome }) => outcome !== 'unmeasured'))
      expect([each.id, each.evidence.length > 0 && each.share !== undefined]).toEqual([each.id, true]);
    expect(Object.keys(answer)).not.toContain('score');
    const { pass, fail, unmeasured } = answer.outcomes;
    expect(pass + fail + unmeasured).toBe(answer.controls.length);
  });

  it('maturity has no composite while a dimension is unmeasured, which is never zero (CON-136)', async () => {
    const { dimensions, composite, complete, unmeasured } = await read(console_, 'intelligence.maturity');
    const byName = Object.fromEntries(dimensions.map((each) => [each.name, each]));
    expect(byName.reliability?.share).toEqual({ part: 18, whole: 21 });
    expect(byName.security?.share).toEqual({ part: 1, whole: 3 });
    expect(byName.governance?.share).toEqual({ part: 2, whole: 3 });
    for (const name of ['delivery', 'autonomy']) {
      expect(byName[name]?.share).toBeUndefined();
      expect(byName[name]?.unmeasured).not.toBe('');
      expect(unmeasured.some((each) => each.startsWith(`Dimension ${name}: `))).toBe(true);
    }
    expect([composite, complete]).toEqual([undefined, false]);
  });

  it('the harness has each failure of measures and controls once, with its next step (CON-126)', async () => {
    const { items } = await read(console_, 'intelligence.harness');
    const { controls } = await read(console_, 'intelligence.compliance');
    const { categories } = await read(console_, 'intelligence.measures');
    const failing = [...controls, ...categories].filter(({ outcome }) => outcome === 'fail');
    // The category `isolation` is the control `default-deny`.
    const expected = new Set(failing.map(({ id }) => (id === 'isolation' ? 'default-deny' : id)));
    expect(items.map(({ id }) => id).sort()).toEqual([...expected].sort());
    expect(items.find(({ id }) => id === 'ownership')?.of).toEqual(['measures', 'compliance']);
    expect(items.find(({ id }) => id === 'runs')?.of).toEqual(['measures']);
    const rank = ['critical', 'warning', 'info'];
    const order = items.map(({ severity }) => rank.indexOf(severity));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const again = await read(console_, 'intelligence.harness');
    const revisions = (from: typeof items) => from.map(({ id, revision }) => [id, revision]);
    expect(revisions(again.items)).toEqual(revisions(items));
  });

  it('measures name one remediation for each category that fails, and none for others (CON-129)', async () => {
    const { categories, outcomes } = await read(console_, 'intelligence.measures');
    expect(Object.fromEntries(categories.map(({ id, outcome }) => [id, outcome]))).toEqual({
      'sign-in': 'pass',
      'audit-chain': expect.any(String),
      agents: 'unmeasured',
      // 18 of 21: below nine of ten.
      runs: 'fail',
      delivery: 'unmeasured',
      credentials: 'unmeasured',
      ownership: 'fail',
      isolation: 'fail',
    });
    for (const { id, outcome, remediation } of categories)
      expect([id, remediation !== undefined]).toEqual([id, outcome === 'fail']);
    expect(outcomes.fail).toBe(categories.filter(({ remediation }) => remediation !== undefined).length);
  });
});

it('without a cluster or any run nothing about them passes or is zero (CON-129, CON-130, CON-135, CON-136)', async () => {
  const console_ = await testConsole({ CONSOLE_SESSION_ADMINS: admin });
  try {
    const { controls } = await read(console_, 'intelligence.compliance');
    const ofCluster = controls.filter(({ area }) => area === 'isolation' || area === 'ownership');
    expect(ofCluster.map(({ outcome }) => outcome)).toEqual(Array(5).fill('unmeasured'));
    const { categories } = await read(console_, 'intelligence.measures');
    for (const id of ['agents', 'runs', 'delivery', 'credentials', 'ownership', 'isolation'])
      expect(categories.find((each) => each.id === id)?.outcome).toBe('unmeasured');
    const { dimensions, composite } = await read(console_, 'intelligence.maturity');
    expect(dimensions.filter(({ share }) => share !== undefined)).toEqual([]);
    expect(composite).toBeUndefined();
    const swarm = await read(console_, 'intelligence.swarm', '?days=28');
    expect(swarm.runs.latency).toEqual({ sample: 0 });
    expect(swarm.complete).toBe(false);
  } finally {
    await console_.close();
  }
});
