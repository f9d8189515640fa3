import { labels } from '#shared/platform/labels.ts';
import type { KubeObject } from '../../kube-api/index.ts';
import { backendEnvironment } from './backend-environment.ts';
import { ago, type EstateContext, imageOf, logText, share, suffix } from './context.ts';
import { byHand, planeOf, probesOf, servingPlane } from './probes.ts';
import type { ControlPlaneSeed, WorkloadSeed } from './seed-schema.ts';

/** The owner of a pod. */
export type Owner = { readonly kind: string; readonly name: string; readonly apiVersion: string };

export type PodSpot = {
  readonly name: string;
  readonly owner: Owner;
  readonly node: string | undefined;
  readonly ip: string;
  readonly problem: WorkloadSeed['problem'];
  /** Age of this pod, in ms. */
  readonly age: number;
};

/** Labels of a workload's pods. */
export function podLabels({ name, tenant, tier }: WorkloadSeed): Record<string, string> {
  return {
    app: name,
    'app.kubernetes.io/name': name,
    ...(tenant === undefined ? {} : { [labels.tenant]: tenant }),
    ...(tier === undefined ? {} : { [labels.tier]: tier }),
  };
}

/** The container a workload's template and its pods have. */
export function containerOf(context: EstateContext, workload: WorkloadSeed) {
  const { cpu, memory, limit = memory, gpus, args, secret, port } = workload;
  const gpu = gpus === undefined ? {} : { 'nvidia.com/gpu': String(gpus) };
  const variables = [
    ...ofOperator(context, workload),
    ...(secret === undefined
      ? []
      : [
          {
            name: secret.variable,
            valueFrom: { secretKeyRef: { name: secret.name, key: secret.key, optional: true } },
          },
        ]),
  ];
  return {
    name: workload.name,
    image: imageOf(context, workload),
    imagePullPolicy: 'IfNotPresent',
    ...(args === undefined ? {} : { args }),
    ...(variables.length === 0 ? {} : { env: variables }),
    ...(port === undefined ? {} : { ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }] }),
    resources: { requests: { cpu, memory, ...gpu }, limits: { memory: limit, ...gpu } },
    ...probesOf(context, workload),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  };
}

/** The variables that the operator gives a container; of what it did not make, those of its seed. */
function ofOperator(context: EstateContext, workload: WorkloadSeed) {
  const plane = planeOf(context, workload);
  const listed = (variables: Readonly<Record<string, string>>) =>
    Object.entries(variables).map(([name, value]) => ({ name, value }));
  const all =
    plane === undefined
      ? listed(workload.env)
      : backendEnvironment({
          base: workload.env,
          env: listed(plane.env),
          users: usersOf(context, plane),
          tenant: plane.tenant,
          runner: plane.runner ? plane.name : undefined,
        });
  const changed: Readonly<Record<string, string>> = workload.drift ? byHand.env : {};
  return all.map((variable) => ({ ...variable, value: changed[variable.name] ?? variable.value }));
}

/** Users of an instance; of a control plane those of the instances that it serves. */
function usersOf({ seed }: EstateContext, { kind, name, users }: ControlPlaneSeed): readonly string[] {
  if (kind === 'ClientInstance') return users;
  return kind === 'CockpitControlPlane' && name === servingPlane.name
    ? seed.control_planes.flatMap((each) => (each.kind === 'ClientInstance' ? each.users : []))
    : [];
}

/** A pod of a workload, in the state its problem puts it in. */
export function podObject(context: EstateContext, workload: WorkloadSeed, spot: PodSpot): KubeObject {
  const { namespace } = workload;
  const { problem, node } = spot;
  const scheduled = node !== undefined && problem?.kind !== 'unschedulable';
  const container = containerStatus(context, workload, spot);
  const ready = container?.ready === true;
  const since = ago(context, Math.max(spot.age - 20_000, 1000));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: spot.name,
      namespace,
      uid: uidOf({ kind: 'Pod', name: spot.name }, namespace),
      labels: podLabels(workload),
      creationTimestamp: ago(context, spot.age),
      ownerReferences: [{ ...spot.owner, uid: uidOf(spot.owner, namespace), controller: true }],
    },
    spec: {
      ...(scheduled ? { nodeName: node } : {}),
      restartPolicy: 'Always',
      serviceAccountName: 'default',
      tolerations: tolerationsOf(context, workload),
      containers: [containerOf(context, workload)],
    },
    status: {
      phase:
        container === undefined || problem?.kind === 'image_pull' || problem?.kind === 'does_not_start'
          ? 'Pending'
          : 'Running',
      conditions: [
        scheduled
          ? { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(context, spot.age) }
          : {
              type: 'PodScheduled',
              status: 'False',
              reason: 'Unschedulable',
              message: problem?.kind === 'unschedulable' ? problem.message : '',
              lastTransitionTime: ago(context, spot.age),
            },
        ...(scheduled
          ? [
              { type: 'Initialized', status: 'True', lastTransitionTime: ago(context, spot.age) },
              readiness('Ready', ready, workload, since),
              readiness('ContainersReady', ready, workload, since),
            ]
          : []),
      ],
      ...(scheduled
        ? {
            hostIP: '10.0.0.10',
            podIP: spot.ip,
            podIPs: [{ ip: spot.ip }],
            startTime: ago(context, spot.age),
          }
        : {}),
      ...(container === undefined ? {} : { containerStatuses: [container] }),
      qosClass: 'Burstable',
    },
  };
}

function readiness(type: string, ready: boolean, { name }: WorkloadSeed, lastTransitionTime: string) {
  return ready
    ? { type, status: 'True', lastTransitionTime }
    : {
        type,
        status: 'False',
        reason: 'ContainersNotReady',
        message: `containers with unready status: [${name}]`,
        lastTransitionTime,
      };
}

/** A pod on a node that is kept for somebody tolerates its taint: that is how an intruder comes there, too. */
function tolerationsOf({ seed }: EstateContext, { node, gpus }: WorkloadSeed) {
  const dedicated = seed.nodes.find(({ name }) => name === node)?.dedicated;
  return [
    ...(dedicated === undefined
      ? []
      : [{ key: labels.dedicated, operator: 'Equal', value: dedicated, effect: 'NoSchedule' }]),
    ...(gpus === undefined ? [] : [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }]),
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ];
}

/** Without its tag; the host before it may have a port. */
function withoutTag(image: string): string {
  return image.replace(/:[^:/]+$/, '');
}

/** Returns a container's status; undefined for a pod that is on no node. */
function containerStatus(context: EstateContext, workload: WorkloadSeed, spot: PodSpot) {
  const { problem } = spot;
  if (problem?.kind === 'unschedulable') return undefined;
  const image = imageOf(context, workload);
  const base = {
    name: workload.name,
    image,
    imageID: problem?.kind === 'image_pull' ? '' : `${withoutTag(image)}@sha256:${suffixHex(image)}`,
    containerID: `containerd://${suffixHex(spot.name)}`,
    ready: false,
    started: false,
    restartCount: 0,
    lastState: {},
  };
  const running = (before: number) => ({ running: { startedAt: ago(context, before) } });
  if (problem?.kind === 'image_pull')
    return {
      ...base,
      state: {
        waiting: {
          reason: 'ImagePullBackOff',
          message: `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "${image}": not found`,
        },
      },
    };
  if (problem?.kind === 'crash_loop')
    return {
      ...base,
      restartCount: problem.restarts,
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: `back-off 5m0s restarting failed container=${workload.name} pod=${spot.name}_${workload.namespace}`,
        },
      },
      lastState: {
        terminated: terminated(context, { reason: 'Error', exitCode: problem.exit_code, before: 130_000 }),
      },
    };
  // How that goes on is seen when its backend is started.
  if (problem?.kind === 'does_not_start')
    return {
      ...base,
      restartCount: problem.restarts,
      state: { waiting: { reason: 'ContainerCreating' } },
    };
  if (problem?.kind === 'oom')
    return {
      ...base,
      ready: true,
      started: true,
      restartCount: problem.restarts,
      state: running(22 * 60_000),
      lastState: {
        terminated: terminated(context, { reason: 'OOMKilled', exitCode: 137, before: 23 * 60_000 }),
      },
    };
  return {
    ...base,
    ready: problem?.kind !== 'rollout_stuck',
    started: true,
    state: running(Math.max(spot.age - 4000, 1000)),
  };
}

function terminated(
  context: EstateContext,
  { reason, exitCode, before }: { reason: string; exitCode: number; before: number },
) {
  return {
    reason,
    exitCode,
    startedAt: ago(context, before + 9000),
    finishedAt: ago(context, before),
    containerID: `containerd://${suffixHex(reason)}`,
  };
}

function suffixHex(word: string): string {
  return [...'0123456701234567']
    .map((digit) =>
      Math.floor(share(word, digit) * 0xffff)
        .toString(16)
        .padStart(4, '0'),
    )
    .join('');
}

/** The same for the same object, so that owners can be named before they are made. */
export function uidOf({ kind, name }: Pick<Owner, 'kind' | 'name'>, namespace: string): string {
  const hex = suffixHex(`${namespace}/${kind}/${name}`);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Returns the log of a pod's container, including its run before the last restart. */
export function podLogs(
  context: EstateContext,
  workload: WorkloadSeed,
  { name, problem, age }: PodSpot,
): Record<string, string> {
  const key = `${workload.namespace}/${name}/${workload.name}`;
  if (problem?.kind === 'crash_loop') {
    const text = logText(context, problem.log, { ended: 130_000 });
    return { [key]: text, [`${key}/previous`]: text };
  }
  if (problem?.kind === 'oom')
    return {
      [key]: logText(context, problem.log, { ended: 60_000 }),
      [`${key}/previous`]: logText(context, problem.previous, { ended: 23 * 60_000 }),
    };
  if (problem?.kind === 'rollout_stuck') return { [key]: logText(context, problem.log, { ended: 30_000 }) };
  if (
    problem?.kind === 'image_pull' ||
    problem?.kind === 'unschedulable' ||
    problem?.kind === 'does_not_start'
  )
    return {};
  const served = 40 + Math.floor(share(name, 'log') * 200);
  return {
    [key]: logText(
      context,
      [
        `level=info msg="started" service=${workload.name}`,
        ...(workload.port === undefined ? [] : [`level=info msg="listening" port=${workload.port}`]),
        `level=info msg="served" requests=${served}`,
      ],
      { ended: Math.min(age, 60_000) },
    ),
  };
}

/** Name of the n-th pod of a workload. */
export function podName({ kind, name }: WorkloadSeed, owner: string, index: number): string {
  return kind === 'StatefulSet' ? `${name}-${index}` : `${owner}-${suffix(5, owner, index)}`;
}
