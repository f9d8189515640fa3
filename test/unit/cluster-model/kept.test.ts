import { describe, expect, it } from 'vitest';
import type { Kept, Listing, RawObject, Resource } from '../../../src-main/cluster-model/index.ts';
import {
  describeNamespaces,
  describeNodes,
  describeServices,
  judgePods,
  judgeRunning,
  keepNothing,
  ownersBy,
  resources,
} from '../../../src-main/cluster-model/index.ts';
import { keptOf } from '../../../src-main/sources/cluster/index.ts';
import { atOnce } from '../../../src-shared/steps.ts';
import { objectCluster } from '../../support/object-cluster.ts';

const start = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number): string => new Date(ms).toISOString();

/** A number below `limit` from a series that is the same in every run. */
function series(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
}

type Kinds = 'pods' | 'replicaSets' | 'deployments' | 'services' | 'slices' | 'nodes' | 'namespaces';

/** The objects of a cluster, each parsed once; what changes is replaced. */
function smallCluster(next: (limit: number) => number) {
  const of: Record<Kinds, Map<string, object>> = {
    pods: new Map(),
    replicaSets: new Map(),
    deployments: new Map(),
    services: new Map(),
    slices: new Map(),
    nodes: new Map(),
    namespaces: new Map(),
  };
  const kinds = {
    pods: resources.pods,
    replicaSets: resources.replicaSets,
    deployments: resources.deployments,
    services: resources.services,
    slices: resources.endpointSlices,
    nodes: resources.nodes,
    namespaces: resources.namespaces,
  } as const;
  const put = (
    kind: Kinds,
    name: string,
    namespace: string | undefined,
    rest: RawObject,
    metadata = {},
  ): void => {
    const object = {
      metadata: { name, namespace, creationTimestamp: at(start - 7_200_000), ...metadata },
      ...rest,
    };
    const schema: Resource['schema'] = kinds[kind].schema;
    of[kind].set(`${namespace}/${name}`, schema.parse(object));
  };
  const lists = new Map<Kinds, { readonly from: string; readonly listing: Listing<never> }>();
  const changed: Partial<Record<Kinds, number>> = {};
  const list = (kind: Kinds): Listing<never> => {
    const from = String(changed[kind] ?? 0);
    const known = lists.get(kind);
    if (known?.from === from) return known.listing;
    // Every kind is asked for by its own name.
    const listing = {
      state: 'read',
      items: [...of[kind].values()],
      gaps: [],
      readAt: start,
      revision: from,
    } as Listing<unknown> as Listing<never>;
    lists.set(kind, { from, listing });
    return listing;
  };
  const status = (now: number): RawObject => {
    const ready = next(3) > 0;
    return {
      phase: ['Running', 'Running', 'Running', 'Pending', 'Failed', 'Succeeded'][next(6)],
      startTime: at(now - next(20) * 60_000),
      conditions: ['Initialized', 'Ready'].map((type) => ({ type, status: ready ? 'True' : 'False' })),
      containerStatuses: [
        {
          name: 'app',
          ready,
          restartCount: next(4),
          state: ready
            ? { running: { startedAt: at(now - next(30) * 1000) } }
            : { waiting: { reason: 'CrashLoopBackOff' } },
          lastState:
            next(2) === 0 ? {} : { terminated: { exitCode: 1, finishedAt: at(now - next(20) * 60_000) } },
        },
      ],
    };
  };
  const namespaceOf = (): string => `team-${next(4)}`;
  const change = {
    pods(now: number) {
      const namespace = namespaceOf();
      const app = `app-${next(4)}`;
      put(
        'pods',
        `${app}-${next(8)}`,
        namespace,
        {
          spec: {
            nodeName: `node-${next(3)}`,
            containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '100m' } } }],
          },
          status: status(now),
        },
        { labels: { app }, ownerReferences: [{ kind: 'ReplicaSet', name: `${app}-1`, controller: true }] },
      );
    },
    replicaSets() {
      const app = `app-${next(4)}`;
      const owner = next(3) === 0 ? [] : [{ kind: 'Deployment', name: app, controller: true }];
      put(
        'replicaSets',
        `${app}-1`,
        namespaceOf(),
        { spec: { replicas: 2, template: {} } },
        { ownerReferences: owner },
      );
    },
    deployments() {
      const app = `app-${next(4)}`;
      put('deployments', app, namespaceOf(), {
        spec: {
          replicas: 1 + next(3),
          template: {
            metadata: { labels: { app } },
            spec: { containers: [{ name: 'app', image: 'app:1' }] },
          },
        },
        status: { readyReplicas: next(3), observedGeneration: 1 },
      });
    },
    services() {
      const app = `app-${next(4)}`;
      put('services', app, namespaceOf(), { spec: { selector: { app }, ports: [{ port: 80 }] } });
    },
    slices() {
      const app = `app-${next(4)}`;
      put(
        'slices',
        app,
        namespaceOf(),
        { endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: next(2) === 0 } }] },
        { labels: { 'kubernetes.io/service-name': app } },
      );
    },
    nodes: () =>
      put('nodes', `node-${next(3)}`, undefined, { spec: { unschedulable: next(2) === 0 }, status: {} }),
    namespaces: () => put('namespaces', namespaceOf(), undefined, { status: { phase: 'Active' } }),
  } as const;
  return {
    /** Replaces, adds or removes an object. */
    step(now: number): void {
      const kind = (Object.keys(change) as Kinds[])[next(7)] ?? 'pods';
      const keys = [...of[kind].keys()];
      if (next(5) === 0) of[kind].delete(keys[next(keys.length)] ?? '');
      else change[kind](now);
      changed[kind] = (changed[kind] ?? 0) + 1;
    },
    list,
    empty: { state: 'read', items: [], gaps: [], readAt: start, revision: '' } as Listing<never>,
  };
}

/** What the pages show of it. */
function pages({ list, empty }: ReturnType<typeof smallCluster>, now: number, kept: Kept) {
  const running = {
    pods: list('pods'),
    replicaSets: list('replicaSets'),
    deployments: list('deployments'),
    statefulSets: empty,
    daemonSets: empty,
    jobs: empty,
    cronJobs: empty,
  };
  const judged = atOnce(judgeRunning(running, { now, kept }));
  const namespaces = {
    ...running,
    namespaces: list('namespaces'),
    services: list('services'),
    events: empty,
    quotas: empty,
  };
  return {
    judged,
    namespaces: atOnce(describeNamespaces(namespaces, judged, now, { kept })),
    nodes: atOnce(
      describeNodes({ nodes: list('nodes'), pods: list('pods'), namespaces: list('namespaces') }, kept),
    ),
    services: atOnce(
      describeServices(
        { services: list('services'), running, endpoints: { slices: list('slices'), endpoints: undefined } },
        judged,
        kept,
      ),
    ),
  };
}

describe('what is kept of a cluster', () => {
  it('is what would be judged anew, whatever changed', () => {
    const next = series(7);
    const cluster = smallCluster(next);
    const kept = keptOf(objectCluster([]));
    let now = start;
    for (let step = 0; step < 600; step += 1) {
      cluster.step(now);
      // Ages are told anew every ten seconds, which is when it is looked at here.
      now += next(4) * 10_000;
      expect(pages(cluster, now, kept), `step ${step}`).toEqual(pages(cluster, now, keepNothing));
    }
  });

  it('is used again for all but what changed', () => {
    const cluster = smallCluster(series(3));
    for (let step = 0; step < 200; step += 1) cluster.step(start);
    const kept = keptOf(objectCluster([]));
    const before = pages(cluster, start, kept);
    const again = pages(cluster, start + 1000, kept);
    for (const [at, pod] of again.judged.pods.entries()) expect(pod).toBe(before.judged.pods[at]);
    for (const [at, row] of again.namespaces.entries()) expect(row).toBe(before.namespaces[at]);
    for (const [at, row] of again.nodes.entries()) expect(row).toBe(before.nodes[at]);
    for (const [at, row] of again.services.entries()) expect(row).toBe(before.services[at]);
    expect(again.services.length).toBeGreaterThan(4);
  });

  it('holds of ten thousand pods all but the one that changed, was added or is gone', () => {
    const pods = Array.from({ length: 10_000 }, (_, index) =>
      resources.pods.schema.parse({
        metadata: { name: `pod-${index}`, namespace: 'shop' },
        spec: { containers: [{ name: 'app' }] },
        status: { phase: 'Failed' },
      }),
    );
    const kept = keptOf(objectCluster([]));
    const owners = ownersBy({ replicaSets: { items: [] }, jobs: { items: [] } }, kept);
    const judge = (items: typeof pods) => atOnce(judgePods(items, owners, start, kept)).all;
    const first = new Set(judge(pods));
    const [, , changed, ...rest] = pods;
    if (changed === undefined) throw new Error('There are pods.');
    const added = { ...changed, metadata: { ...changed.metadata, name: 'added' } };
    const second = judge([...pods.slice(1, 2), { ...changed }, ...rest, added]);
    expect(second.filter((one) => !first.has(one)).map(({ pod }) => pod.metadata.name)).toEqual([
      'pod-2',
      'added',
    ]);
  });
});
