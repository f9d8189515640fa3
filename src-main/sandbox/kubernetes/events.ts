import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext, suffix } from './context.ts';
import type { WorkloadSeed } from './seed-schema.ts';

type EventFields = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly component: string;
  /** Last time it happened, in ms before the start. */
  readonly last: number;
};

/** Returns a recent core/v1 Event about an object. */
export function eventOf(context: EstateContext, about: KubeObject, fields: EventFields): KubeObject {
  const { name, namespace = 'default', uid } = about.metadata;
  const { type, reason, message, count, component, last } = fields;
  const first = ago(context, last + count * 60_000);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${name}.${suffix(16, name, reason, message)}`,
      namespace,
      creationTimestamp: first,
    },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      // Events of what has no namespace are kept in `default`, and say so of themselves only.
      ...(about.metadata.namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
    },
    type,
    reason,
    message,
    count,
    firstTimestamp: first,
    lastTimestamp: ago(context, last),
    source: { component },
    reportingComponent: component,
    reportingInstance: '',
  };
}

/** Returns the events a workload's problem causes: its controller's, the scheduler's and the kubelets'. */
export function problemEvents(
  context: EstateContext,
  workload: WorkloadSeed,
  objects: readonly KubeObject[],
): KubeObject[] {
  const { problem, name } = workload;
  if (problem === undefined) return [];
  const [pod] = objects.filter(({ kind }) => kind === 'Pod');
  const set = objects.find(({ kind }) => kind === 'ReplicaSet');
  const image = JSON.stringify(pod?.spec).match(/"image":"([^"]+)"/)?.[1] ?? name;
  const warn = (
    about: KubeObject | undefined,
    reason: string,
    message: string,
    rest: Pick<EventFields, 'count' | 'component' | 'last'>,
  ): KubeObject[] =>
    about === undefined ? [] : [eventOf(context, about, { type: 'Warning', reason, message, ...rest })];
  const kubelet = { component: 'kubelet', last: 60_000 };
  switch (problem.kind) {
    case 'crash_loop':
      return warn(
        pod,
        'BackOff',
        `Back-off restarting failed container ${name} in pod ${pod?.metadata.name}_${workload.namespace}`,
        { ...kubelet, count: 812 },
      );
    case 'image_pull':
      return [
        ...warn(
          pod,
          'Failed',
          `Failed to pull image "${image}": rpc error: code = NotFound desc = failed to pull and unpack image "${image}": not found`,
          { ...kubelet, count: 13 },
        ),
        ...warn(pod, 'BackOff', `Back-off pulling image "${image}"`, { ...kubelet, count: 201 }),
      ];
    case 'unschedulable':
      return warn(pod, 'FailedScheduling', problem.message, {
        component: 'default-scheduler',
        count: 84,
        last: 90_000,
      });
    case 'oom':
      return warn(
        pod,
        'BackOff',
        `Back-off restarting failed container ${name} in pod ${pod?.metadata.name}_${workload.namespace}`,
        { component: 'kubelet', count: 9, last: 24 * 60_000 },
      );
    case 'rollout_stuck':
      return warn(pod, 'Unhealthy', problem.message, { component: 'kubelet', count: 78, last: 15_000 });
    // Said when it happens.
    case 'does_not_start':
      return [];
    case 'over_quota':
      return warn(
        set,
        'FailedCreate',
        `Error creating: pods "${set?.metadata.name}-x7k2p" is forbidden: exceeded quota: compute, requested: requests.cpu=600m, used: requests.cpu=1700m, limited: requests.cpu=2`,
        { component: 'replicaset-controller', count: 26, last: 5 * 60_000 },
      );
  }
}
