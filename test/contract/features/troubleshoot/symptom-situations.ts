import { z } from 'zod';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { issueCertificate } from '../../../../src-main/kube-api/certificates.ts';
import { type PlatformPart, platformPart } from '../../../../src-shared/api/symptoms.ts';
import { deployment, minutesAgo, node, object, pod, service } from '../cluster/harness.ts';

// Situations as data: what is wrong, or is not, in one namespace of a cluster; objects are made of them.

const text = z.string();
const number = z.number().int();
const anything = z.record(z.string(), z.unknown());

/** A pod of a Deployment, with one container; without anything said it runs and is ready. */
const podFields = z.strictObject({
  waiting: text.optional(),
  message: text.optional(),
  /** Reason and exit code of the run that ended, which is over while it waits or runs. */
  ended: text.optional(),
  exit: number.optional(),
  said: text.optional(),
  init: z.literal(true).optional(),
  /** It runs: is it ready? */
  ready: z.boolean().optional(),
  phase: text.optional(),
  reason: text.optional(),
  status: text.optional(),
  /** PodScheduled is False. */
  unscheduled: z.strictObject({ reason: text, message: text.optional() }).optional(),
});
const condition = z.strictObject({
  kind: text,
  type: text,
  status: text,
  reason: text.optional(),
  message: text.optional(),
});
const event = z.strictObject({ reason: text, message: text, kind: text.optional() });
const answers = z.record(z.string(), z.tuple([number, z.unknown()]));

export const situation = z.strictObject({
  /** Where it comes from. */
  from: text,
  pod: podFields.optional(),
  /** A log of the pod's container. */
  log: text.optional(),
  /** Whose image the container has. */
  part: platformPart.optional(),
  event: event.optional(),
  condition: condition.optional(),
  /** A backend of the platform: variables, and what its health endpoints answer. */
  backend: z
    .strictObject({
      part: platformPart,
      env: z.record(z.string(), text).optional(),
      answers: answers.optional(),
      /** Whether its pods are ready. */
      ready: z.boolean().optional(),
      spec: anything.optional(),
    })
    .optional(),
  /** A Secret with a certificate valid from and to these days from now. */
  certificate: z
    .strictObject({
      name: text,
      type: text.optional(),
      days: z.tuple([z.number(), z.number()]),
      hosts: z.array(text).optional(),
      /** Signed by somebody who is not there. */
      orphan: z.literal(true).optional(),
      keys: z.array(text).optional(),
    })
    .optional(),
  /** As they are; `{ns}` is the namespace, `{-10m}` a time ten minutes ago. */
  objects: z.array(anything).optional(),
});
export type Situation = z.infer<typeof situation>;

/** What a situation adds to a cluster. `name` is its namespace, and the name of its node or other object without one. */
export type Made = {
  readonly objects: RawObject[];
  readonly logs: Readonly<Record<string, string>>;
  readonly http: Readonly<Record<string, { status: number; body: string }>>;
};

export function made(it: Situation, name: string): Made {
  const of = it.part ?? 'web';
  const log = it.log === undefined ? {} : { [`${name}/${of}-1/main`]: `${it.log}\n` };
  const http = Object.entries(it.backend?.answers ?? {}).map(([path, [status, body]]) => [
    `/api/v1/namespaces/${name}/services/backend:80/proxy${path}`,
    { status, body: JSON.stringify(body) },
  ]);
  return {
    logs: log,
    http: Object.fromEntries(http),
    objects: [
      ...(hasPod(it) ? [podOf(it, name, of)] : []),
      ...(it.event === undefined ? [] : eventOf(it.event, name, of)),
      ...(it.condition === undefined ? [] : conditioned(it.condition, name)),
      ...(it.backend === undefined ? [] : backendOf(it.backend, name)),
      ...(it.certificate === undefined ? [] : [certified(it.certificate, name)]),
      ...(it.objects ?? []).map((one): RawObject => filledIn(one, name) as RawObject),
    ],
  };
}

/** Something is said of a pod, or by it. */
function hasPod({ pod: its, log, event: said }: Situation): boolean {
  return its !== undefined || log !== undefined || (said !== undefined && (said.kind ?? 'Pod') === 'Pod');
}

/** A log that somebody wrote who does not work stands in a pod that crashes. */
const crashing: z.infer<typeof podFields> = { waiting: 'CrashLoopBackOff', ended: 'Error', exit: 1 };

function podOf(it: Situation, namespace: string, of: string): RawObject {
  const fields: z.infer<typeof podFields> = it.pod ?? (it.log === undefined ? { ready: false } : crashing);
  const { waiting, message, ended, exit, said, phase, reason, status, unscheduled } = fields;
  const isWaiting = waiting !== undefined;
  const last =
    ended === undefined
      ? undefined
      : { reason: ended, exitCode: exit, message: said, finishedAt: minutesAgo(3), startedAt: minutesAgo(4) };
  // It is over once something else holds of the container.
  const state = isWaiting
    ? { waiting: { reason: waiting, message } }
    : last !== undefined && fields.ready === undefined
      ? { terminated: last }
      : { running: { startedAt: minutesAgo(589) } };
  const ready = fields.ready ?? (!isWaiting && last === undefined);
  const one = {
    name: 'main',
    ready,
    started: ready,
    restartCount: last === undefined ? 0 : 4,
    image: imageOf(it.part),
    state,
    ...(last === undefined || state.terminated !== undefined ? {} : { lastState: { terminated: last } }),
  };
  const conditions = [
    {
      type: 'PodScheduled',
      status: unscheduled === undefined ? 'True' : 'False',
      ...(unscheduled ?? {}),
    },
    ...(unscheduled === undefined
      ? [
          { type: 'Initialized', status: fields.init === true && !ready ? 'False' : 'True' },
          { type: 'ContainersReady', status: ready ? 'True' : 'False' },
          { type: 'Ready', status: ready ? 'True' : 'False' },
        ]
      : []),
  ];
  const starts = unscheduled !== undefined || (fields.init === true && !ready);
  return pod({
    name: `${of}-1`,
    namespace,
    of,
    // Runs on one node that end together look like the end of the node.
    node: `node-of-${namespace}`,
    container: { image: imageOf(it.part) },
    ...(fields.init === true
      ? {
          spec: {
            nodeName: `node-of-${namespace}`,
            initContainers: [{ name: 'main', image: imageOf(it.part) }],
            containers: [{ name: 'app', image: 'registry.example/app:1' }],
          },
        }
      : {}),
    status: {
      phase: phase ?? (starts ? 'Pending' : 'Running'),
      ...(reason === undefined ? {} : { reason }),
      ...(status === undefined ? {} : { message: status }),
      conditions,
      containerStatuses: unscheduled !== undefined || fields.init === true ? [] : [one],
      initContainerStatuses: fields.init === true ? [one] : [],
    },
  });
}

const images: Readonly<Record<PlatformPart, string>> = {
  cockpit: 'registry.example/cockpit:1',
  runner: 'registry.example/cockpit-runner:1',
  campaign: 'registry.example/campaign:1',
};
const imageOf = (part: PlatformPart | undefined): string =>
  part === undefined ? 'registry.example/main:1' : images[part];

const groups: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Gateway: 'gateway.networking.k8s.io/v1',
  HTTPRoute: 'gateway.networking.k8s.io/v1',
  CockpitControlPlane: 'platform.dev/v1alpha1',
  CampaignControlPlane: 'platform.dev/v1alpha1',
  ClientInstance: 'platform.dev/v1alpha1',
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
};

function eventOf({ reason, message, kind = 'Pod' }: z.infer<typeof event>, name: string, of: string) {
  const about =
    kind === 'Pod'
      ? { kind, name: `${of}-1`, namespace: name }
      : kind === 'Node'
        ? { kind, name }
        : { kind, name: 'it', namespace: name };
  return [
    object(
      'v1',
      'Event',
      { name: 'event', namespace: name },
      { type: 'Warning', reason, message, count: 4, lastTimestamp: minutesAgo(3), involvedObject: about },
    ),
    ...subjects(kind, name),
  ];
}

/** The object an event is about that is not well, so that what it says is of now. */
function subjects(kind: string, namespace: string): RawObject[] {
  const status = { observedGeneration: 1, replicas: 1, readyReplicas: 0, updatedReplicas: 1 };
  const meta = { name: 'it', namespace, generation: 1 };
  const spec = { replicas: 1, template: {}, selector: { matchLabels: { app: 'it' } } };
  switch (kind) {
    case 'StatefulSet':
      return [object('apps/v1', kind, meta, { spec, status })];
    case 'DaemonSet':
      return [
        object('apps/v1', kind, meta, {
          spec,
          status: {
            observedGeneration: 1,
            desiredNumberScheduled: 1,
            numberReady: 0,
            updatedNumberScheduled: 1,
          },
        }),
      ];
    case 'Job':
      return [object('batch/v1', kind, meta, { spec: { template: {} }, status: { failed: 1 } })];
    case 'CronJob':
      return [object('batch/v1', kind, meta, { spec: { schedule: '0 * * * *', jobTemplate: {} } })];
    case 'PersistentVolumeClaim':
      return [object('v1', kind, meta, { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } })];
    case 'Node':
      return [node(namespace, { conditions: [{ type: 'Ready', status: 'False' }] })];
    default:
      return [];
  }
}

function conditioned({ kind, ...one }: z.infer<typeof condition>, name: string): RawObject[] {
  const held = { lastTransitionTime: minutesAgo(90), ...one };
  if (kind === 'Node')
    return [
      node(name, {
        conditions: [...(one.type === 'Ready' ? [] : [{ type: 'Ready', status: 'True' }]), held],
      }),
    ];
  if (kind === 'Namespace') return [object('v1', kind, { name }, { status: { conditions: [held] } })];
  if (kind === 'Deployment')
    return [
      {
        ...deployment({ name: 'it', namespace: name, replicas: 2, ready: 1 }),
        status: {
          observedGeneration: 1,
          replicas: 2,
          readyReplicas: 1,
          updatedReplicas: 2,
          availableReplicas: 1,
          conditions: [held],
        },
      },
    ];
  const parent = { parentRef: { name: 'public' }, conditions: [held] };
  return [
    object(
      groups[kind] ?? 'v1',
      kind,
      { name: 'it', namespace: name, generation: 1 },
      {
        spec: specs[kind] ?? {},
        status: kind === 'HTTPRoute' ? { parents: [parent] } : { observedGeneration: 1, conditions: [held] },
      },
    ),
  ];
}

const specs: Readonly<Record<string, unknown>> = {
  ReplicaSet: { replicas: 1, template: {} },
  Job: { template: {} },
  Gateway: { gatewayClassName: 'public', listeners: [] },
  HTTPRoute: { parentRefs: [{ name: 'public' }], hostnames: ['shop.example'], rules: [] },
  CockpitControlPlane: { replicas: 1 },
  CampaignControlPlane: { replicas: 1 },
};

function backendOf(it: NonNullable<Situation['backend']>, namespace: string): RawObject[] {
  const env = Object.entries(it.env ?? {}).map(([name, value]) => ({ name, value }));
  const image = images[it.part];
  const ready = it.ready ?? true;
  return [
    object(
      'platform.dev/v1alpha1',
      it.part === 'campaign' ? 'CampaignControlPlane' : 'CockpitControlPlane',
      { name: 'backend', namespace, generation: 1 },
      {
        spec: { image, replicas: 1, env, ...(it.part === 'runner' ? { runner: true } : {}), ...it.spec },
        status: { observedGeneration: 1 },
      },
    ),
    deployment({
      name: 'backend',
      namespace,
      image,
      ready: ready ? 1 : 0,
      container: { env, ports: [{ containerPort: 80 }] },
    }),
    service({ name: 'backend', namespace }),
  ];
}

const day = 86_400_000;

function certified(it: NonNullable<Situation['certificate']>, namespace: string): RawObject {
  const now = Date.now();
  const valid = { notBefore: now + it.days[0] * day, notAfter: now + it.days[1] * day };
  const nobody = { name: 'nobody', ...issueCertificate({ name: 'nobody', isCa: true, ...valid }) };
  const made = issueCertificate({
    name: it.name,
    ...valid,
    isCa: it.type === undefined,
    hosts: it.hosts ?? [],
    ...(it.orphan === true ? { issuer: nobody } : {}),
  });
  const parts: Readonly<Record<string, string>> = {
    'tls.crt': made.cert,
    'ca.crt': made.cert,
    'tls.key': made.key,
    kubeconfig: `users: [{ user: { client-certificate-data: ${Buffer.from(made.cert).toString('base64')} } }]`,
    'ca.key': made.key,
  };
  const keys = it.keys ?? (it.type === undefined ? ['ca.crt', 'ca.key'] : ['tls.crt', 'tls.key']);
  const data = keys.map((key) => [key, Buffer.from(parts[key] ?? 'text').toString('base64')]);
  return object(
    'v1',
    'Secret',
    { name: it.name, namespace },
    { type: it.type ?? 'Opaque', data: Object.fromEntries(data) },
  );
}

function filledIn(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll('{ns}', name)
      .replace(/\{-(\d+)m\}/g, (_, minutes: string) => minutesAgo(Number(minutes)));
  if (Array.isArray(value)) return value.map((one) => filledIn(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, name)]));
}
