import type { Delivery } from '#shared/api/delivery.ts';
import type { ObjectOf, resources } from '../../cluster-model/index.ts';
import { clipped, timeOf } from '../../cluster-model/index.ts';
import { type Controlled, noStatusYet } from './controlled.ts';
import { short } from './lineage-steps.ts';

type Application = ObjectOf<typeof resources.applications>;

const syncs: Readonly<Record<string, Delivery['sync']>> = { Synced: 'synced', OutOfSync: 'out_of_sync' };

const healths: Readonly<Record<string, Delivery['health']>> = {
  Healthy: 'healthy',
  Progressing: 'progressing',
  Degraded: 'degraded',
  Suspended: 'suspended',
  Missing: 'missing',
};

/**
 * An Application of Argo CD as a delivery (argoproj.io/v1alpha1, ApplicationStatus). Anything missing from
 * its status counts as not read, with the reason.
 */
export function applicationDelivery({ metadata, spec, status }: Application): Controlled {
  const named = { kind: 'Application', name: metadata.name, namespace: metadata.namespace ?? '' };
  const { sync, health, operationState, history = [], conditions = [] } = status ?? {};
  const source = spec.source ?? spec.sources[0];
  const wanted = revisionOf(sync) ?? source?.targetRevision ?? 'HEAD';
  const last = history.at(-1);
  const delivered = revisionOf(last) ?? (sync?.status === 'Synced' ? revisionOf(sync) : undefined);
  const fault = conditions.find(({ type }) => /Error$/.test(type))?.message;
  const isSyncing = operationState?.phase === 'Running';
  const syncRead = syncs[sync?.status ?? ''] !== undefined;
  const healthRead = healths[health?.status ?? ''];
  const unread =
    sync?.status === undefined && health?.status === undefined
      ? [noStatusYet]
      : [
          ...(syncRead ? [] : [`whether it is synced was not read${because(fault)}`]),
          ...(healthRead === undefined ? [`its health was not read${because(health?.message)}`] : []),
        ];
  const failed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  const detail = [
    ...(isSyncing ? [`${revisionLabel(wanted)} is being synced`] : []),
    ...(!isSyncing && failed ? [`its last sync failed${because(operationState.message)}`] : []),
    ...(!isSyncing && !failed && sync?.status === 'OutOfSync'
      ? [`${revisionLabel(wanted)} is not synced`]
      : []),
    ...(!isSyncing && sync?.status === 'Synced' ? [`synced to ${revisionLabel(wanted)}`] : []),
    ...(health?.message === undefined || healthRead === undefined ? [] : [clipped(health.message)]),
    ...unread,
  ].join('; ');
  // A chart's repository is no repository of the code host.
  const repo = source?.chart === undefined ? repositoryOf(source?.repoURL) : undefined;
  return {
    ...named,
    unread,
    row: {
      ...(repo === undefined ? {} : { repo }),
      ...(source?.targetRevision === undefined ? {} : { branch: source.targetRevision }),
      sync: isSyncing ? 'progressing' : (syncs[sync?.status ?? ''] ?? 'not_read'),
      health: healthRead ?? 'not_read',
      detail,
      ...(delivered === undefined ? {} : { revision: delivered }),
      target_revision: wanted,
      last_transition:
        newest(
          health?.lastTransitionTime,
          operationState?.finishedAt ?? operationState?.startedAt,
          last?.deployedAt,
        ) ??
        timeOf(status?.reconciledAt) ??
        timeOf(metadata.creationTimestamp),
    },
  };
}

/** A commit as people name it; versions and branches as they are. */
function revisionLabel(revision: string): string {
  return /^[0-9a-f]{40,64}$/.test(revision) ? short(revision) : revision;
}

type Revisions = { readonly revision?: string | undefined; readonly revisions: readonly string[] };

/**
 * Returns the revision; for an Application with several sources their revisions, in the order of the sources.
 */
function revisionOf(of: Revisions | undefined): string | undefined {
  if (of === undefined) return undefined;
  return of.revision || of.revisions.join(', ') || undefined;
}

function because(message: string | undefined): string {
  return message === undefined || message === '' ? '' : `: ${clipped(message)}`;
}

function newest(...times: readonly (string | undefined)[]): string | undefined {
  return times
    .flatMap((time) => timeOf(time) ?? [])
    .toSorted()
    .at(-1);
}

/** Name of the repository in the address of a Git repository. */
function repositoryOf(url: string | undefined): string | undefined {
  return /([^/:]+?)(?:\.git)?\/?$/.exec(url ?? '')?.[1];
}
