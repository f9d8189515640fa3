import type {
  Attention,
  ControlPlane,
  NamespaceRow,
  NodeRow,
  ObjectRef,
  ServiceRow,
  Workload,
} from '#shared/api/cluster.ts';
import { compareObjects, healthRank } from '#shared/health/worst-first.ts';
import type { HeldMeshCa, JudgedCertificate, JudgedPod } from '../../cluster-model/index.ts';
import { keyOf, nameOf, usedUp } from '../../cluster-model/index.ts';

/** Everything that may need a person. */
export type Judged = {
  readonly controlPlanes: readonly ControlPlane[];
  readonly workloads: readonly Workload[];
  readonly failing: readonly JudgedPod[];
  readonly quotas: readonly { readonly namespace: string; readonly quota: NamespaceRow['quotas'][number] }[];
  readonly nodes: readonly NodeRow[];
  readonly services: readonly ServiceRow[];
  readonly meshCas: readonly HeldMeshCa[];
  /** Other certificates. */
  readonly certificates: readonly JudgedCertificate[];
};

export type Gathered = {
  /** In the order they were found. */
  readonly rows: readonly Attention[];
  /** The row ID for each object that a row covers, by the object's key. */
  readonly rowOf: ReadonlyMap<string, string>;
};

/**
 * Returns what needs attention, each cause once: a Deployment is not listed again for its pods,
 * its service or, where it belongs to one, separately from its control plane.
 */
export function gatherAttention(judged: Judged): Gathered {
  const rows: Attention[] = [];
  const reported = new Map<string, string>();
  const tell = (
    found: {
      readonly state: string;
      readonly reason?: string | undefined;
      readonly since?: string | undefined;
    },
    object: ObjectRef,
    title: string,
    address: Record<string, string>,
  ): void => {
    const { state } = found;
    if (!needsPerson({ state })) return;
    const id = keyOf(object);
    if (reported.has(id)) return;
    reported.set(id, id);
    rows.push({
      id,
      state: state === 'failing' ? 'failing' : 'degraded',
      title,
      cause: found.reason,
      object,
      place: address,
      since: found.since,
    });
  };

  for (const plane of judged.controlPlanes) {
    const { kind, name, namespace, workload } = plane;
    tell(
      { ...plane, since: workload?.since },
      { kind, name, namespace },
      `${kind} ${name} ${plane.state === 'failing' ? 'is failing' : 'needs attention'}`,
      { tab: 'controlPlanes', record: `${kind}/${namespace}/${name}` },
    );
    const row = reported.get(keyOf({ kind, name, namespace }));
    // What its Deployment has is its reason, too.
    if (workload !== undefined && row !== undefined) reported.set(keyOf(workload), row);
  }
  for (const workload of judged.workloads)
    if (needsPerson(workload))
      tell(
        workload,
        { kind: workload.kind, name: workload.name, namespace: workload.namespace },
        `${nameOf(workload)} ${workload.state === 'failing' ? 'is failing' : 'is degraded'}`,
        { tab: 'namespaces', record: workload.namespace },
      );
  for (const { pod, verdict, owner } of judged.failing) {
    const { name, namespace = '' } = pod.metadata;
    tell(
      verdict,
      owner ?? { kind: 'Pod', name, namespace },
      `Pod ${name} ${verdict.state === 'failing' ? 'is failing' : 'has failed'}`,
      { tab: 'namespaces', record: namespace },
    );
  }
  for (const node of judged.nodes)
    if (needsPerson(node))
      tell(
        node,
        { kind: 'Node', name: node.name },
        `Node ${node.name} ${node.state === 'failing' ? 'is not ready' : 'needs attention'}`,
        { tab: 'nodes', record: node.name },
      );
  for (const service of judged.services) {
    const row = service.workload === undefined ? undefined : reported.get(keyOf(service.workload));
    if (row !== undefined) {
      reported.set(keyOf({ ...service, kind: 'Service' }), row);
      continue;
    }
    if (service.state === 'failing')
      tell(
        service,
        { kind: 'Service', name: service.name, namespace: service.namespace },
        `Service ${service.name} has no ready endpoints`,
        { tab: 'services', record: `${service.namespace}/${service.name}` },
      );
  }
  for (const { row, holder } of judged.meshCas)
    tell(
      row,
      holder,
      `The mesh CA of ${row.namespace} ${row.state === 'failing' ? 'is not valid' : 'expires soon'}`,
      { tab: 'security', record: `${row.namespace}/${row.found_in}/${row.fingerprint}` },
    );
  for (const { row, ill } of judged.certificates)
    for (const { holder, state } of ill)
      tell(
        { state, reason: `${row.subject} ${row.reason ?? ''}`.trim() },
        holder,
        `The certificate in ${holder.kind} ${holder.name} ${state === 'failing' ? 'is not valid' : 'expires soon'}`,
        { tab: 'security', record: `${row.namespace}/${row.found_in}/${row.fingerprint}` },
      );
  for (const { namespace, quota } of judged.quotas) {
    const used = usedUp(quota);
    if (used.length > 0)
      tell(
        { state: 'degraded', reason: used.join('; ') },
        { kind: 'ResourceQuota', name: quota.name, namespace },
        `Quota ${quota.name} of ${namespace} is used up`,
        { tab: 'namespaces', record: namespace },
      );
  }
  return { rows, rowOf: reported };
}

function needsPerson({ state }: { readonly state: string }): boolean {
  return state === 'failing' || state === 'degraded';
}

/** Compares as the findings of a diagnosis are compared: by state, then by kind, namespace and name. */
export const worstFirst = (
  a: Pick<Attention, 'state' | 'object'>,
  b: Pick<Attention, 'state' | 'object'>,
): number => healthRank(a.state) - healthRank(b.state) || compareObjects(a.object, b.object);

/** Returns the first `most` in an order, as sorting all of them would put them; of thousands few are shown. */
export function firstOf<T>(items: readonly T[], compare: (a: T, b: T) => number, most: number): T[] {
  const first: T[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length === most && last !== undefined && compare(item, last) >= 0) continue;
    const place = first.findIndex((each) => compare(item, each) < 0);
    first.splice(place < 0 ? first.length : place, 0, item);
    if (first.length > most) first.pop();
  }
  return first;
}
