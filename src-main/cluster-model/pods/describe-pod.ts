import type { Pod } from '#shared/api/cluster.ts';
import { healthRank } from '#shared/health/worst-first.ts';
import type { PodObject } from '../kinds/pods.ts';
import { podAmounts, quantitiesOf } from '../quantities.ts';
import { timeOf } from '../text.ts';
import type { JudgedPod } from './judged-pods.ts';
import { endLabel, sidecarNames } from './pod-status.ts';
import { lastEnd } from './pod-verdict.ts';

/** A pod with its containers, as a page shows it. */
export function describePod({ pod, verdict, owner }: JudgedPod): Pod {
  const { metadata, spec, status } = pod;
  const sidecars = sidecarNames(pod);
  const statuses = new Map(
    [...status.initContainerStatuses, ...status.containerStatuses].map((each) => [each.name, each]),
  );
  const describe =
    (kind: Pod['containers'][number]['kind']) => (container: PodObject['spec']['containers'][number]) => {
      const read = statuses.get(container.name);
      const ended = read?.lastState?.terminated;
      return {
        name: container.name,
        kind,
        image: container.image ?? read?.image ?? '',
        ready: read?.ready === true,
        restarts: read?.restartCount ?? 0,
        status: containerLabel(read),
        last_ended: read === undefined || ended === undefined ? undefined : lastEnd(read),
        last_ended_at: timeOf(ended?.finishedAt),
      };
    };
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    status: verdict.label,
    state: verdict.state,
    reason: verdict.reason,
    ready: verdict.ready,
    containers: [
      ...spec.initContainers.map((each) => describe(sidecars.has(each.name) ? 'sidecar' : 'init')(each)),
      ...spec.containers.map(describe('container')),
    ],
    restarts: verdict.restarts,
    node: spec.nodeName,
    owner,
    requests: quantitiesOf(podAmounts(pod)),
    created_at: timeOf(metadata.creationTimestamp ?? status.startTime),
  };
}

function containerLabel(read: PodObject['status']['containerStatuses'][number] | undefined): string {
  const { waiting, running, terminated } = read?.state ?? {};
  if (running !== undefined) return 'Running';
  if (terminated !== undefined) return endLabel(terminated);
  return waiting?.reason ?? 'Waiting';
}

/** Worst first, then by name. */
export function worstFirst(left: JudgedPod, right: JudgedPod): number {
  return (
    rank(left) - rank(right) ||
    (left.pod.metadata.namespace ?? '').localeCompare(right.pod.metadata.namespace ?? '') ||
    left.pod.metadata.name.localeCompare(right.pod.metadata.name)
  );
}

const rank = ({ verdict }: JudgedPod): number => healthRank(verdict.state);
