import type { LogOwnerKind } from '#shared/api/workload-logs.ts';
import { objectAt } from '../../base/json-fields.ts';
import { type Listing, type ObjectOf, type Resource, resources } from '../../cluster-model/index.ts';
import { type Labels, parseSelector, selects } from '../../kube-objects/index.ts';
import { type Cluster, resourceOf } from '../../sources/cluster/index.ts';

export type Pod = ObjectOf<typeof resources.pods>;

/** Whose logs are read. */
export type LogsOf =
  | { readonly namespace: string; readonly kind: LogOwnerKind; readonly name: string }
  | { readonly namespace: string; readonly selector: string };

/** Returns the pods now: those that are there when it is called. */
export type PodsNow = () => Promise<{ readonly pods: readonly Pod[]; readonly listing: Listing<Pod> }>;

/** How to find the pods, or why there are none to find, a sentence. */
export type Selection =
  | { readonly state: 'found'; readonly podsNow: PodsNow }
  | { readonly state: 'missing' | 'unread' | 'unusable'; readonly reason: string };

const known: readonly Resource[] = [
  resources.deployments,
  resources.statefulSets,
  resources.daemonSets,
  resources.replicaSets,
  resources.jobs,
  resources.cronJobs,
  resources.services,
  resourceOf({
    group: '',
    version: 'v1',
    plural: 'replicationcontrollers',
    kind: 'ReplicationController',
    namespaced: true,
  }),
];

/** Finds out which pods belong to a workload, a service or a label selector. */
export async function selectPods(cluster: Cluster, of: LogsOf): Promise<Selection> {
  const { namespace } = of;
  const podsBy = (matches: (pod: Pod) => boolean): Selection => ({
    state: 'found',
    async podsNow() {
      const listing = await cluster.list(resources.pods, { namespace });
      return { pods: listing.items.filter(matches), listing };
    },
  });
  if ('selector' in of) {
    const matches = parseSelector(of.selector);
    if (matches === undefined) return { state: 'unusable', reason: `${of.selector} is no label selector.` };
    return podsBy(({ metadata }) => matches(metadata.labels));
  }
  const { kind, name } = of;
  if (kind === 'CronJob') return podsOfCronJob(cluster, namespace, name);
  const resource = known.find((each) => each.kind === kind);
  if (resource === undefined) return { state: 'unusable', reason: `A ${kind} runs no pods.` };
  const read = await cluster.get(resource, name, namespace);
  if (read.state !== 'read') return read;
  const matches = matcherOf(read.object, kind);
  if (matches === undefined)
    return { state: 'unusable', reason: `${kind} ${name} has no selector: it names no pods.` };
  return podsBy(({ metadata }) => matches(metadata.labels));
}

/** Services and ReplicationControllers have a plain map of labels, the others a LabelSelector. */
function matcherOf(object: unknown, kind: LogOwnerKind): ((labels: Labels) => boolean) | undefined {
  const selector = objectAt(object, 'spec', 'selector');
  if (Object.keys(selector).length === 0) return undefined;
  const isPlain = kind === 'Service' || kind === 'ReplicationController';
  return (labels) => selects(isPlain ? { matchLabels: selector } : selector, labels);
}

/** A CronJob's pods are those of its Jobs, and those come and go as well. */
async function podsOfCronJob(cluster: Cluster, namespace: string, name: string): Promise<Selection> {
  const read = await cluster.get(resources.cronJobs, name, namespace);
  if (read.state !== 'read') return read;
  return {
    state: 'found',
    async podsNow() {
      const [listing, jobs] = await Promise.all([
        cluster.list(resources.pods, { namespace }),
        cluster.list(resources.jobs, { namespace }),
      ]);
      const own = new Set(
        jobs.items
          .filter(({ metadata }) =>
            metadata.ownerReferences.some((owner) => owner.kind === 'CronJob' && owner.name === name),
          )
          .map(({ metadata }) => metadata.name),
      );
      const pods = listing.items.filter(({ metadata }) =>
        metadata.ownerReferences.some((owner) => owner.kind === 'Job' && own.has(owner.name)),
      );
      return { pods, listing };
    },
  };
}
