import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SandboxCluster, startSandboxCluster } from '../../../../src-main/sandbox/kubernetes/index.ts';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import type { LiveCluster } from '../../../../src-main/sources/cluster/live/index.ts';
import type { ObjectRef } from '../../../../src-shared/api/cluster.ts';
import { type Report, report } from '../../../../src-shared/api/troubleshoot.ts';
import { severityOfState, severityRank } from '../../../../src-shared/health/worst-first.ts';
import { liveCluster } from '../../../support/live-cluster.ts';
import { opened } from '../../../support/opened-bundle.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { newFolder } from '../../../support/started-console.ts';
import { readingCluster } from '../cluster/harness.ts';

// Every route over one cluster: an object has one verdict, the same things stand in the same order, counts agree.

const samples = resolve(repoRoot, process.env.BUNDLE_SAMPLES ?? '../shared/bundles');
const mustGather = join(samples, 'must-gather');
const keyOf = ({ kind, namespace = '', name }: ObjectRef): string => `${kind}/${namespace}/${name}`;
const isIll = (state: string): boolean => state === 'failing' || state === 'degraded';

/** Everything that the pages say of one cluster. */
async function everythingOf(cluster: Cluster) {
  const { read, get } = await readingCluster(cluster);
  const diagnosis = await get('/api/troubleshoot');
  const found = report.parse(JSON.parse(diagnosis.text));
  // The overview has the findings once its own diagnosis ended.
  const dashboard = await vi.waitFor(
    async () => {
      const answer = await read('cluster.dashboard');
      expect(answer.diagnosis?.at).toBeDefined();
      return answer;
    },
    { timeout: 40_000, interval: 100 },
  );
  const namespaces = await read('cluster.namespaces');
  const details = await Promise.all(
    namespaces.items.map(({ name }) => read('cluster.namespace', `/api/namespaces/${name}`)),
  );
  return {
    found,
    dashboard,
    namespaces,
    details,
    planes: await read('cluster.controlPlanes'),
    nodes: await read('cluster.nodes'),
    services: await read('cluster.services'),
    certificates: await read('cluster.security'),
  };
}

type Everything = Awaited<ReturnType<typeof everythingOf>>;

/** States by object, and who says each. */
function verdictsOf(all: Everything): Map<string, Map<string, string[]>> {
  const verdicts = new Map<string, Map<string, string[]>>();
  const say = (object: ObjectRef, state: string, who: string): void => {
    const states = verdicts.get(keyOf(object)) ?? new Map<string, string[]>();
    verdicts.set(keyOf(object), states.set(state, [...(states.get(state) ?? []), who]));
  };
  for (const row of all.dashboard.workloads) say(row, row.state, 'tracked workloads');
  for (const row of all.dashboard.instances) say({ ...row, kind: 'ClientInstance' }, row.state, 'instances');
  for (const { id, object, state } of all.dashboard.attention)
    if (object !== undefined && id === keyOf(object)) say(object, state, 'attention');
  for (const row of all.planes.items) {
    say(row, row.state, 'control planes');
    if (row.workload !== undefined) say(row.workload, row.workload.state, 'control planes');
  }
  for (const row of all.namespaces.items)
    say({ kind: 'Namespace', name: row.name }, row.verdict.state, 'namespaces');
  for (const { namespace, workloads, pods } of all.details) {
    if (namespace !== undefined)
      say({ kind: 'Namespace', name: namespace.name }, namespace.verdict.state, 'one namespace');
    for (const row of workloads) say(row, row.state, 'one namespace');
    for (const row of pods) say({ ...row, kind: 'Pod' }, row.state, 'one namespace');
  }
  for (const row of all.nodes.items) say({ kind: 'Node', name: row.name }, row.state, 'nodes');
  for (const row of all.services.items) say({ ...row, kind: 'Service' }, row.state, 'services');
  return verdicts;
}

/** A control plane stands for its Deployment. */
function standsFor({ planes }: Everything): (object: ObjectRef) => ObjectRef {
  const of = new Map(planes.items.flatMap((row) => (row.workload ? [[keyOf(row.workload), row]] : [])));
  return (object) => of.get(keyOf(object)) ?? object;
}

function expectOneTruth(all: Everything): void {
  const verdicts = verdictsOf(all);
  const several = [...verdicts].filter(([, states]) => states.size > 1);
  expect(several.map(([key, states]) => [key, Object.fromEntries(states)])).toEqual([]);

  const stands = standsFor(all);
  const stateOf = (object: ObjectRef): string | undefined =>
    [...(verdicts.get(keyOf(object))?.keys() ?? [])][0];
  expect(severitiesThatDiffer(all.found, stands, stateOf)).toEqual([]);

  // The same things in the same order.
  const told = all.found.findings.filter(({ severity }) => severity !== 'info');
  const inTroubleshoot = [
    ...new Set(told.flatMap(({ objects: [first] }) => (first ? [keyOf(stands(first))] : []))),
  ];
  const inOverview = all.dashboard.attention.flatMap(({ object }) => (object ? [keyOf(stands(object))] : []));
  const both = new Set(inOverview.filter((key) => inTroubleshoot.includes(key)));
  expect(both.size).toBeGreaterThan(1);
  expect([...new Set(inOverview)].filter((key) => both.has(key))).toEqual(
    inTroubleshoot.filter((key) => both.has(key)),
  );

  // The overview counts the workloads that the namespaces have.
  const inAll = Object.values(all.dashboard.workload_counts ?? {}).reduce((sum, count) => sum + count, 0);
  expect(inAll).toBe(all.details.reduce((sum, { workloads }) => sum + workloads.length, 0));

  // A namespace is as ill as the worst in it.
  for (const row of all.planes.items.filter(({ state }) => state === 'failing'))
    expect(stateOf({ kind: 'Namespace', name: row.namespace })).toBe('failing');

  // Counts of a list are those of its pages.
  for (const [index, { name, counts }] of all.namespaces.items.entries()) {
    const detail = all.details[index];
    if (counts.pods !== undefined) expect([name, detail?.pods.length]).toEqual([name, counts.pods]);
    const services = all.services.items.filter(({ namespace }) => namespace === name).length;
    if (counts.services !== undefined) expect([name, services]).toEqual([name, counts.services]);
    const deployments = detail?.workloads.filter(({ kind }) => kind === 'Deployment').length;
    if (counts.deployments !== undefined) expect([name, deployments]).toEqual([name, counts.deployments]);
  }
}

function severitiesThatDiffer(
  { findings }: Report,
  stands: (object: ObjectRef) => ObjectRef,
  stateOf: (object: ObjectRef) => string | undefined,
): string[] {
  const gravest = new Map<string, { readonly object: ObjectRef; readonly rank: number }>();
  for (const {
    severity,
    objects: [first],
  } of findings) {
    if (first === undefined || severity === 'info') continue;
    const object = stands(first);
    const rank = Math.min(severityRank(severity), gravest.get(keyOf(object))?.rank ?? 9);
    gravest.set(keyOf(object), { object, rank });
  }
  return [...gravest.values()].flatMap(({ object, rank }) => {
    const state = stateOf(object);
    if (state === undefined) return [];
    // Of what is not ill a finding warns at most.
    const wanted =
      state === 'failing' || state === 'degraded'
        ? severityRank(severityOfState[state])
        : severityRank('warning');
    return rank === wanted ? [] : [`${keyOf(object)} is ${state}, its gravest finding ranks ${rank}`];
  });
}

describe('one truth', () => {
  let sandbox: SandboxCluster;
  let cluster: LiveCluster;
  beforeAll(async () => {
    sandbox = await startSandboxCluster({ still: true });
    const kubeconfig = join(newFolder(), 'kubeconfig');
    writeFileSync(kubeconfig, sandbox.kubeconfig);
    cluster = await liveCluster(kubeconfig, { context: 'sandbox' });
  });
  afterAll(async () => {
    cluster?.close();
    await sandbox?.close();
  });

  it('is told by every route of the sandbox cluster: one verdict, one order, one count', async () => {
    // A health endpoint may not answer in time on a machine that is busy: then it is asked again.
    const all = await vi.waitFor(
      async () => {
        const read = await everythingOf(cluster);
        expectOneTruth(read);
        return read;
      },
      { timeout: 50_000, interval: 10_000 },
    );
    // What the health endpoints say is known everywhere, not on one page.
    const aspen = all.planes.items.find(({ name }) => name === 'aspen-cockpit');
    expect(aspen?.state).toBe('failing');
    expect(all.dashboard.instances.find(({ name }) => name === 'aspen-cockpit')?.state).toBe('failing');
    expect(all.dashboard.attention.some(({ state }) => isIll(state))).toBe(true);
  });

  it.skipIf(!existsSync(mustGather))('is told by every route of a must-gather', async () => {
    const [file = ''] = readdirSync(mustGather);
    const { cluster: bundle } = await opened(join(mustGather, file));
    const all = await everythingOf(bundle);
    expectOneTruth(all);
    // Installer pods that nothing starts again rank after the Deployments that lack replicas, as they do in findings.
    const names = all.dashboard.attention.map(({ object }) => object?.name ?? '');
    expect(names.indexOf('oauth-openshift')).toBeLessThan(
      names.findIndex((name) => /^installer-/.test(name)),
    );
  });
});
