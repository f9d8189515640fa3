import type { ForwardDefinition } from '#shared/api/forwards.ts';
import {
  type LabelSelector,
  type Named,
  type PodObject,
  type Resource,
  resources,
  selects,
} from '../../cluster-model/index.ts';
import type { Cluster } from '../../sources/cluster/index.ts';

/** A pod to connect to, or why there is none: `waits` where one may yet become ready. */
export type Choice =
  | { readonly pod: string; readonly port: number }
  | { readonly reason: string; readonly waits: boolean };

const workloads = {
  Deployment: resources.deployments,
  StatefulSet: resources.statefulSets,
  DaemonSet: resources.daemonSets,
} as const;

/**
 * Chooses a ready pod of the object a forward leads to: `preferred` while it is ready, so that a client meets the same pod
 * again, never one of `failed`, which did not take a connection a moment ago, unless there is no other.
 */
export async function choosePod(
  cluster: Cluster,
  { namespace, kind, object, port }: ForwardDefinition,
  preferred: string | undefined,
  failed: ReadonlySet<string>,
): Promise<Choice> {
  const named = `${kind} ${object} in ${namespace}`;
  const found = await selectionOf(cluster, { namespace, kind, object, port });
  if ('reason' in found) return found;
  const listing = await cluster.list(resources.pods, { namespace });
  if (listing.state !== 'read' && listing.items.length === 0)
    return {
      reason: `The pods of ${namespace} were not read: ${listing.gaps[0] ?? listing.state}`,
      waits: true,
    };
  const pods = listing.items.filter((pod) => pod.metadata.namespace === namespace && found.selects(pod));
  const ready = pods.filter(isReady);
  if (ready.length === 0)
    return {
      reason:
        pods.length === 0 ? `${named} has no pods.` : `None of the ${pods.length} pods of ${named} is ready.`,
      waits: true,
    };
  const usable = ready.filter(({ metadata }) => !failed.has(metadata.name));
  const [first] = usable.length > 0 ? usable : ready;
  const chosen = usable.find(({ metadata }) => metadata.name === preferred) ?? first;
  if (chosen === undefined) return { reason: `${named} has no pods.`, waits: true };
  const number = typeof found.port === 'number' ? found.port : portOf(chosen, found.port);
  return number === undefined
    ? { reason: `The pod ${chosen.metadata.name} has no port named ${found.port}.`, waits: false }
    : { pod: chosen.metadata.name, port: number };
}

type Selection = {
  readonly selects: (pod: PodObject) => boolean;
  /** Of the pod. */
  readonly port: number | string;
};

async function selectionOf(
  cluster: Cluster,
  { namespace, kind, object, port }: Pick<ForwardDefinition, 'namespace' | 'kind' | 'object' | 'port'>,
): Promise<Selection | { readonly reason: string; readonly waits: boolean }> {
  if (kind === 'Pod') return { selects: ({ metadata }) => metadata.name === object, port };
  const none = { reason: `There is no ${kind} ${object} in ${namespace}.`, waits: false };
  if (kind === 'Service') {
    const { items } = await cluster.list(resources.services, { namespace });
    const service = items.find(
      ({ metadata }) => metadata.name === object && metadata.namespace === namespace,
    );
    if (service === undefined) return none;
    const wanted = service.spec.ports.find((each) => each.port === port || each.name === port);
    if (wanted === undefined)
      return { reason: `The Service ${object} in ${namespace} has no port ${port}.`, waits: false };
    const { selector } = service.spec;
    if (Object.keys(selector).length === 0)
      return {
        reason: `The Service ${object} in ${namespace} selects no pods: forward to a pod instead.`,
        waits: false,
      };
    return {
      selects: ({ metadata }) => selects({ matchLabels: selector, matchExpressions: [] }, metadata.labels),
      port: wanted.targetPort ?? wanted.port,
    };
  }
  const selector = await selectorOf(cluster, kind, namespace, object);
  if (selector === undefined) return none;
  return { selects: ({ metadata }) => selects(selector, metadata.labels), port };
}

/** Returns the selector of a workload, which is required of all three kinds; undefined for one that is not there. */
async function selectorOf(
  cluster: Cluster,
  kind: keyof typeof workloads,
  namespace: string,
  object: string,
): Promise<LabelSelector | undefined> {
  const resource: Resource<Named & { readonly spec: { readonly selector: LabelSelector | undefined } }> =
    workloads[kind];
  const { items } = await cluster.list(resource, { namespace });
  return items.find(({ metadata }) => metadata.name === object && metadata.namespace === namespace)?.spec
    .selector;
}

/** A pod that is being deleted still says it is ready, and takes no new connections for long. */
function isReady({ metadata, status }: PodObject): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')
  );
}

function portOf({ spec }: PodObject, name: string): number | undefined {
  return [...spec.containers, ...spec.initContainers]
    .flatMap(({ ports }) => ports)
    .find((each) => each.name === name)?.containerPort;
}
