import type { KubeObject } from '../../../src-main/kube-api/world.ts';

/** Sizes of a generated cluster. */
export type EstateSize = {
  readonly nodes: number;
  readonly pods: number;
  readonly events: number;
  readonly namespaces: number;
};

const hex = (number: number, digits: number): string =>
  Math.imul(number + 1, 2_654_435_761)
    .toString(16)
    .replace('-', 'f')
    .padStart(digits, '0')
    .slice(0, digits);

/**
 * A cluster as a real one is: pods of the size kube-apiserver sends (with managedFields, which nobody reads), one in fifty
 * of them failing, Deployments and Services over them, and events about them.
 */
export function estate(size: EstateSize): KubeObject[] {
  const namespaces = Array.from({ length: size.namespaces }, (_, index) => `team-${index}`);
  const perDeployment = 5;
  const objects: KubeObject[] = namespaces.map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: `ns-${name}`, creationTimestamp: time(86_400 * 30) },
    status: { phase: 'Active' },
  }));
  for (let index = 0; index < size.nodes; index += 1) objects.push(node(index));
  for (let index = 0; index < size.pods; index += 1) {
    const namespace = namespaces[Math.floor(index / perDeployment) % namespaces.length] ?? 'team-0';
    const app = `app-${Math.floor(index / perDeployment)}`;
    if (index % perDeployment === 0) objects.push(...deployment(app, namespace, perDeployment));
    objects.push(pod(index, app, namespace, size.nodes));
  }
  for (let index = 0; index < size.events; index += 1) {
    const about = (index * 7) % size.pods;
    const namespace = namespaces[Math.floor(about / perDeployment) % namespaces.length] ?? 'team-0';
    objects.push(event(index, `app-${Math.floor(about / perDeployment)}`, about, namespace));
  }
  return objects;
}

/** RFC 3339 time so many seconds ago. */
function time(secondsAgo: number): string {
  return new Date(Date.now() - secondsAgo * 1000).toISOString().replace(/\.\d+/, '');
}

const podName = (app: string, index: number): string => `${app}-${hex(index, 9)}-${hex(index * 31, 5)}`;

function pod(index: number, app: string, namespace: string, nodes: number): KubeObject {
  const failing = index % 50 === 7;
  const image = `registry.example/platform/${app}@sha256:${hex(index % 400, 8).repeat(8)}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(app, index),
      namespace,
      uid: `pod-${index}`,
      creationTimestamp: time(3600 + index),
      labels: { app, 'pod-template-hash': hex(index, 9), 'platform.dev/tenant': namespace },
      annotations: { 'kubectl.kubernetes.io/restartedAt': time(7200), checksum: hex(index, 8).repeat(8) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-${hex(1, 9)}`,
          uid: `rs-${app}`,
          controller: true,
        },
      ],
      managedFields: [managed('kube-controller-manager'), managed('kubelet')],
    },
    spec: {
      nodeName: `node-${index % nodes}`,
      restartPolicy: 'Always',
      serviceAccountName: 'default',
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
      containers: [
        {
          name: 'app',
          image,
          env: Array.from({ length: 12 }, (_, at) => ({
            name: `SETTING_${at}`,
            value: `value-${at}-of-${app}`,
          })),
          ports: [{ name: 'http', containerPort: 8080 }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          readinessProbe: { httpGet: { path: '/readyz', port: 8080 }, periodSeconds: 10 },
          volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets', readOnly: true }],
        },
      ],
      volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }],
    },
    status: {
      phase: 'Running',
      podIP: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      startTime: time(3600 + index),
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: failing && type.includes('Ready') ? 'False' : 'True',
        lastTransitionTime: time(3600),
      })),
      containerStatuses: [
        {
          name: 'app',
          ready: !failing,
          started: !failing,
          restartCount: failing ? 12 : 0,
          image,
          imageID: image,
          containerID: `containerd://${hex(index, 8).repeat(8)}`,
          state: failing
            ? {
                waiting: {
                  reason: 'CrashLoopBackOff',
                  message: 'back-off 5m0s restarting failed container=app',
                },
              }
            : { running: { startedAt: time(3600) } },
          lastState: failing ? { terminated: { exitCode: 1, reason: 'Error', finishedAt: time(60) } } : {},
        },
      ],
    },
  };
}

const managed = (manager: string): object => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: time(3600),
  fieldsType: 'FieldsV1',
  fieldsV1: Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`f:field-${at}`, { '.': {}, 'f:type': {}, 'f:status': {} }]),
  ),
});

function deployment(app: string, namespace: string, replicas: number): KubeObject[] {
  const labels = { app };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: app,
        namespace,
        uid: `deploy-${app}`,
        labels,
        generation: 1,
        creationTimestamp: time(86_400),
      },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'app', image: `registry.example/${app}:1` }] },
        },
      },
      status: {
        replicas,
        readyReplicas: replicas,
        updatedReplicas: replicas,
        observedGeneration: 1,
        conditions: [],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: app, namespace, uid: `svc-${app}`, creationTimestamp: time(86_400) },
      spec: { type: 'ClusterIP', selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ];
}

function node(index: number): KubeObject {
  const capacity = { cpu: '16', memory: '64Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${index}`,
      uid: `node-${index}`,
      labels: {},
      creationTimestamp: time(86_400 * 60),
    },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        { type: 'Ready', status: 'True', lastHeartbeatTime: time(10), lastTransitionTime: time(9000) },
      ],
      nodeInfo: { kubeletVersion: 'v1.36.0' },
      images: Array.from({ length: 30 }, (_, at) => ({
        names: [`registry.example/image-${at}`],
        sizeBytes: 1e8 + at,
      })),
    },
  };
}

function event(index: number, app: string, about: number, namespace: string): KubeObject {
  const warning = index % 4 === 0;
  const name = podName(app, about);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${name}.${hex(index, 16)}`,
      namespace,
      uid: `event-${index}`,
      creationTimestamp: time(index % 3600),
      managedFields: [managed('kubelet')],
    },
    type: warning ? 'Warning' : 'Normal',
    reason: warning ? 'BackOff' : 'Pulled',
    message: warning
      ? `Back-off restarting failed container app in pod ${name}_${namespace}`
      : 'Container image is already present on machine',
    count: 1 + (index % 9),
    firstTimestamp: time(3600),
    lastTimestamp: time(index % 3600),
    involvedObject: { kind: 'Pod', name, namespace, uid: `pod-${about}` },
    source: { component: 'kubelet', host: 'node-1' },
  };
}
