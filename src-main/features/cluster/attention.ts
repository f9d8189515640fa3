import type {
  Attention,
  ControlPlane,
  NamespaceRow,
  NodeRow,
  ObjectRef,
  ServiceRow,
  Workload,
} from '#shared/api/cluster.ts';
import type { JudgedPod } from './judged-pods.ts';
import type { HeldMeshCa } from './mesh-cas.ts';
import { keyOf, nameOf } from './owners.ts';
import { usedUp } from './quotas.ts';

/** Everything that may need a person. */
export type Judged = {
  readonly controlPlanes: readonly ControlPlane[];
  readonly workloads: readonly Workload[];
  readonly failing: readonly JudgedPod[];
  readonly quotas: readonly { readonly namespace: string; readonly quota: NamespaceRow['quotas'][number] }[];
  readonly nodes: readonly NodeRow[];
  readonly services: readonly ServiceRow[];
  readonly certificates: readonly HeldMeshCa[];
};

const most = 20;

/**
 * What needs a person, worst first, each cause once: a Deployment is not named again for its pods, its service or,
 * where it is one's, apart from its control plane.
 */
export function gatherAttention(judged: Judged): Attention[] {
  const rows: Attention[] = [];
  const told = new Set<string>();
  const tell = (
    found: {
      readonly state: string;
      readonly reason?: string | undefined;
      readonly since?: string | undefined;
    },
    object: ObjectRef,
    title: string,
    place: Record<string, string>,
  ): void => {
    if (found.state !== 'failing' && found.state !== 'degraded') return;
    const id = keyOf(object);
    if (told.has(id)) return;
    told.add(id);
    rows.push({ id, state: found.state, title, cause: found.reason, object, place, since: found.since });
  };

  for (const plane of judged.controlPlanes) {
    const { kind, name, namespace, workload } = plane;
    tell(
      { ...plane, since: workload?.since },
      { kind, name, namespace },
      `${kind} ${name} ${plane.state === 'failing' ? 'is failing' : 'needs attention'}`,
      { tab: 'controlPlanes', namespace, name },
    );
    // What its Deployment has is its reason, too.
    if (workload !== undefined && told.has(keyOf({ kind, name, namespace }))) told.add(keyOf(workload));
  }
  for (const workload of judged.workloads)
    tell(
      workload,
      { kind: workload.kind, name: workload.name, namespace: workload.namespace },
      `${nameOf(workload)} ${workload.state === 'failing' ? 'is failing' : 'is degraded'}`,
      { tab: 'namespaces', namespace: workload.namespace, name: workload.name },
    );
  for (const { pod, verdict, owner } of judged.failing) {
    const { name, namespace = '' } = pod.metadata;
    tell(
      verdict,
      owner ?? { kind: 'Pod', name, namespace },
      `Pod ${name} ${verdict.state === 'failing' ? 'is failing' : 'has failed'}`,
      {
        tab: 'namespaces',
        namespace,
        name,
      },
    );
  }
  for (const node of judged.nodes)
    tell(
      node,
      { kind: 'Node', name: node.name },
      `Node ${node.name} ${node.state === 'failing' ? 'is not ready' : 'needs attention'}`,
      { tab: 'nodes', name: node.name },
    );
  for (const service of judged.services) {
    if (service.workload !== undefined && told.has(keyOf(service.workload))) continue;
    if (service.state === 'failing')
      tell(
        service,
        { kind: 'Service', name: service.name, namespace: service.namespace },
        `Service ${service.name} has no ready endpoints`,
        { tab: 'services', namespace: service.namespace, name: service.name },
      );
  }
  for (const { row, holder } of judged.certificates)
    tell(
      row,
      holder,
      `The mesh CA of ${row.namespace} ${row.state === 'failing' ? 'does not hold' : 'expires soon'}`,
      { tab: 'security', namespace: row.namespace },
    );
  for (const { namespace, quota } of judged.quotas) {
    const used = usedUp(quota);
    if (used.length > 0)
      tell(
        { state: 'degraded', reason: used.join('; ') },
        { kind: 'ResourceQuota', name: quota.name, namespace },
        `Quota ${quota.name} of ${namespace} is used up`,
        { tab: 'namespaces', namespace },
      );
  }
  // In order of what hangs on it already; of two alike the one told first.
  const worst = rows.toSorted((a, b) => Number(b.state === 'failing') - Number(a.state === 'failing'));
  return worst.slice(0, most);
}
