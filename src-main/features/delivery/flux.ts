import type { Delivery } from '#shared/api/delivery.ts';
import type { ObjectOf, resources } from '../../cluster-model/index.ts';
import { clipped, timeOf } from '../../cluster-model/index.ts';
import { type Controlled, noStatusYet } from './controlled.ts';

type Kustomization = ObjectOf<typeof resources.kustomizations>;
type HelmRelease = ObjectOf<typeof resources.helmReleases>;

/** The fields both kinds report in the same way. */
type Reconciled = {
  readonly kind: 'Kustomization' | 'HelmRelease';
  readonly metadata: Kustomization['metadata'];
  readonly suspended: boolean;
  readonly status: Kustomization['status'] | HelmRelease['status'];
  readonly delivered: string | undefined;
  readonly wanted: string | undefined;
  readonly branch: string | undefined;
};

/** A Kustomization of Flux as a delivery (kustomize.toolkit.fluxcd.io/v1, KustomizationStatus). */
export function kustomizationDelivery({ metadata, spec, status }: Kustomization): Controlled {
  const applied = gitRevision(status?.lastAppliedRevision);
  const attempted = gitRevision(status?.lastAttemptedRevision);
  return reconciled({
    kind: 'Kustomization',
    metadata,
    suspended: spec.suspend === true,
    status,
    delivered: applied?.commit,
    wanted: attempted?.commit ?? applied?.commit,
    branch: attempted?.branch ?? applied?.branch,
  });
}

/** A HelmRelease of Flux as a delivery: revisions are chart versions (helm.toolkit.fluxcd.io/v2, HelmReleaseStatus). */
export function helmReleaseDelivery({ metadata, spec, status }: HelmRelease): Controlled {
  const released = status?.history.find(({ status: state }) => state === 'deployed')?.chartVersion;
  return reconciled({
    kind: 'HelmRelease',
    metadata,
    suspended: spec.suspend === true,
    status,
    delivered: released ?? status?.lastAppliedRevision,
    wanted: status?.lastAttemptedRevision ?? spec.chart?.spec?.version,
    branch: undefined,
  });
}

function reconciled(of: Reconciled): Controlled {
  const { kind, metadata, suspended, status, delivered, wanted, branch } = of;
  const named = { kind, name: metadata.name, namespace: metadata.namespace ?? '' };
  const ready = status?.conditions.find(({ type }) => type === 'Ready');
  const outdated = (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);
  const [columns, why] = stateOf(ready, outdated, delivered !== undefined && delivered === wanted);
  const detail = suspended ? `suspended; ${why}` : why;
  return {
    ...named,
    unread: ready === undefined && !suspended ? [noStatusYet] : [],
    row: {
      ...(branch === undefined ? {} : { branch }),
      ...columns,
      ...(suspended ? { health: 'suspended' as const } : {}),
      detail,
      ...(delivered === undefined ? {} : { revision: delivered }),
      target_revision: wanted ?? delivered ?? 'not resolved yet',
      last_transition: timeOf(ready?.lastTransitionTime) ?? timeOf(metadata.creationTimestamp),
    },
  };
}

type Ready = NonNullable<Kustomization['status']>['conditions'][number];
type Columns = Pick<Delivery, 'sync' | 'health'>;

/** `same`: whether what was delivered last is what was attempted last. */
function stateOf(ready: Ready | undefined, outdated: boolean, same: boolean): [Columns, string] {
  if (ready === undefined) return [{ sync: 'not_read', health: 'not_read' }, noStatusYet];
  const message = clipped(ready.message ?? ready.reason ?? 'its controller has not said why');
  const sync = same ? 'synced' : 'out_of_sync';
  if (outdated)
    return [
      { sync: 'progressing', health: 'progressing' },
      `its newest spec is not acted on yet; ${message}`,
    ];
  if (ready.status === 'True') return [{ sync: 'synced', health: 'healthy' }, message];
  // Unknown: the controller is at it. A dependency or an artifact that is not ready yet is waited for.
  if (ready.status === 'Unknown' || ready.reason === 'Progressing')
    return [{ sync: 'progressing', health: 'progressing' }, message];
  if (ready.reason === 'DependencyNotReady') return [{ sync, health: 'progressing' }, `waits: ${message}`];
  return [{ sync, health: 'degraded' }, message];
}

/** `main@sha1:<commit>`, and as older controllers write it `main/<commit>`; any other revision stays whole. */
function gitRevision(
  revision: string | undefined,
): { readonly branch?: string; readonly commit: string } | undefined {
  if (revision === undefined || revision === '') return undefined;
  const [, branch, commit] =
    /^(?:refs\/heads\/)?(.+?)(?:@sha(?:1|256):|\/)([0-9a-f]{40,64})$/.exec(revision) ?? [];
  return branch === undefined || commit === undefined ? { commit: revision } : { branch, commit };
}
