import type { JsonObject } from '../../src-main/base/json-fields.ts';

type Made = { readonly object: JsonObject; readonly status?: JsonObject };

const meta = (name: string, more: object = {}) => ({ name: `rec-${name}`, namespace: 'rec-space', ...more });
const wide = (name: string, more: object = {}) => ({ name: `rec-${name}`, ...more });
const made = (
  apiVersion: string,
  kind: string,
  metadata: object,
  rest: object = {},
  status?: JsonObject,
): Made => ({
  object: { apiVersion, kind, metadata, ...rest },
  ...(status === undefined ? {} : { status }),
});

const box = (name: string, more: object = {}) => ({ name, image: `images.example/${name}:1`, ...more });
const template = (app: string, more: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [box('web'), box('log')], ...more },
});
const selector = (app: string) => ({ matchLabels: { app } });
const done = (exitCode: number, more: object = {}) => ({
  terminated: { exitCode, startedAt: '2026-11-20T10:00:00Z', finishedAt: '2026-11-20T10:05:00Z', ...more },
});
const runs = { running: { startedAt: '2026-11-20T10:00:00Z' } };
const waits = (reason: string) => ({ waiting: { reason } });
const state = (name: string, current: object, more: object = {}) => ({
  name,
  image: `images.example/${name}:1`,
  imageID: '',
  ready: false,
  restartCount: 0,
  state: current,
  ...more,
});
const ready = (status = 'True') => ({ type: 'Ready', status });
const initialized = (status = 'True') => ({ type: 'Initialized', status });

const pod = (name: string, spec: object, status: JsonObject): Made =>
  made('v1', 'Pod', meta(`pod-${name}`), { spec: { containers: [box('a'), box('b')], ...spec } }, status);

/** Pods in every state that has words of its own in `kubectl get`. */
const pods: readonly Made[] = [
  pod('pending', {}, { phase: 'Pending' }),
  pod('gated', { schedulingGates: [{ name: 'example.com/gate' }] }, { phase: 'Pending' }),
  pod('evicted', {}, { phase: 'Failed', reason: 'Evicted' }),
  pod(
    'running',
    { nodeName: 'rec-node', readinessGates: [{ conditionType: 'example.com/open' }] },
    {
      phase: 'Running',
      podIP: '10.1.2.3',
      podIPs: [{ ip: '10.1.2.3' }],
      conditions: [ready(), initialized(), { type: 'example.com/open', status: 'True' }],
      containerStatuses: [
        state('a', runs, { ready: true, restartCount: 4, lastState: done(137, { reason: 'OOMKilled' }) }),
        state('b', runs, { ready: true }),
      ],
    },
  ),
  pod(
    'crashing',
    {},
    {
      phase: 'Running',
      conditions: [initialized(), ready('False')],
      containerStatuses: [
        state('a', waits('CrashLoopBackOff'), { restartCount: 12, lastState: done(1, { reason: 'Error' }) }),
        state('b', runs, { ready: true }),
      ],
    },
  ),
  pod('image', {}, { phase: 'Pending', containerStatuses: [state('a', waits('ImagePullBackOff'))] }),
  pod(
    'completed',
    {},
    {
      phase: 'Succeeded',
      containerStatuses: [
        state('a', done(0, { reason: 'Completed' })),
        state('b', done(0, { reason: 'Completed' })),
      ],
    },
  ),
  pod(
    'half',
    {},
    {
      phase: 'Running',
      conditions: [initialized(), ready('False')],
      containerStatuses: [state('a', done(0, { reason: 'Completed' })), state('b', runs, { ready: true })],
    },
  ),
  pod(
    'hidden-error',
    {},
    {
      phase: 'Running',
      containerStatuses: [
        state('a', done(0, { reason: 'Completed' })),
        state('b', done(3, { reason: 'Error' })),
      ],
    },
  ),
  pod(
    'signal',
    {},
    { phase: 'Failed', containerStatuses: [state('a', done(0, { signal: 9 })), state('b', done(2))] },
  ),
  pod(
    'init-fails',
    { initContainers: [box('one'), box('two')] },
    {
      phase: 'Pending',
      initContainerStatuses: [
        state('one', done(0)),
        state('two', done(1, { reason: 'Error' }), { restartCount: 3 }),
      ],
    },
  ),
  pod(
    'init-waits',
    { initContainers: [box('one'), box('two')] },
    {
      phase: 'Pending',
      initContainerStatuses: [state('one', waits('PodInitializing')), state('two', waits('PodInitializing'))],
    },
  ),
  pod(
    'init-pulls',
    { initContainers: [box('one')] },
    {
      phase: 'Pending',
      initContainerStatuses: [state('one', waits('ErrImagePull'))],
    },
  ),
  pod(
    'init-code',
    { initContainers: [box('one')] },
    {
      phase: 'Pending',
      initContainerStatuses: [state('one', done(5))],
    },
  ),
  pod(
    'sidecar',
    { initContainers: [box('mesh', { restartPolicy: 'Always' }), box('one')] },
    {
      phase: 'Running',
      conditions: [initialized(), ready()],
      initContainerStatuses: [
        state('mesh', runs, { ready: true, started: true, restartCount: 2, lastState: done(1) }),
        state('one', done(0), { ready: true }),
      ],
      containerStatuses: [
        state('a', runs, { ready: true, restartCount: 1, lastState: done(1) }),
        state('b', runs),
      ],
    },
  ),
  pod(
    'sidecar-starts',
    { initContainers: [box('mesh', { restartPolicy: 'Always' }), box('one')] },
    {
      phase: 'Pending',
      initContainerStatuses: [state('mesh', runs, { started: true }), state('one', runs)],
    },
  ),
  {
    ...pod('leaving', {}, { phase: 'Running', containerStatuses: [state('a', runs, { ready: true })] }),
  },
];

const metric = (type: string, field: string, more: object) => ({ type, [field]: more });
const autoscalers: readonly Made[] = [
  made('autoscaling/v2', 'HorizontalPodAutoscaler', meta('hpa-plain'), {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rec-web' }, maxReplicas: 4 },
  }),
  made(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    meta('hpa-many'),
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rec-web' },
        minReplicas: 2,
        maxReplicas: 9,
        metrics: [
          metric('Resource', 'resource', {
            name: 'cpu',
            target: { type: 'Utilization', averageUtilization: 60 },
          }),
          metric('Resource', 'resource', {
            name: 'memory',
            target: { type: 'AverageValue', averageValue: '512Mi' },
          }),
          metric('Pods', 'pods', {
            metric: { name: 'rps' },
            target: { type: 'AverageValue', averageValue: '20' },
          }),
        ],
      },
    },
    {
      currentReplicas: 3,
      desiredReplicas: 4,
      currentMetrics: [
        metric('Resource', 'resource', {
          name: 'cpu',
          current: { averageUtilization: 43, averageValue: '120m' },
        }),
      ],
    },
  ),
  made('autoscaling/v2', 'HorizontalPodAutoscaler', meta('hpa-others'), {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'rec-db' },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [
        metric('External', 'external', {
          metric: { name: 'queue' },
          target: { type: 'AverageValue', averageValue: '30' },
        }),
        metric('Object', 'object', {
          describedObject: { kind: 'Service', name: 'x', apiVersion: 'v1' },
          metric: { name: 'hits' },
          target: { type: 'Value', value: '2k' },
        }),
      ],
    },
  }),
  made('autoscaling/v2', 'HorizontalPodAutoscaler', meta('hpa-container'), {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rec-web' },
      maxReplicas: 5,
      metrics: [
        metric('ContainerResource', 'containerResource', {
          name: 'cpu',
          container: 'web',
          target: { type: 'Utilization', averageUtilization: 80 },
        }),
      ],
    },
  }),
];

const workloads: readonly Made[] = [
  made('apps/v1', 'Deployment', meta('web'), {
    spec: {
      replicas: 2,
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['b', 'a'] }],
      },
      template: template('web'),
    },
  }),
  made('apps/v1', 'StatefulSet', meta('db'), {
    spec: { replicas: 1, serviceName: 'db', selector: selector('db'), template: template('db') },
  }),
  made('apps/v1', 'DaemonSet', meta('agent'), {
    spec: {
      selector: selector('agent'),
      template: template('agent', { nodeSelector: { zone: 'b', arch: 'amd64' } }),
    },
  }),
  made('apps/v1', 'DaemonSet', meta('agent-2'), {
    spec: { selector: selector('agent-2'), template: template('agent-2') },
  }),
  made('apps/v1', 'ReplicaSet', meta('set'), {
    spec: {
      replicas: 0,
      selector: {
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['y', 'x'] },
          { key: 'old', operator: 'DoesNotExist' },
          { key: 'app', operator: 'Exists' },
        ],
      },
      template: template('x'),
    },
  }),
  made('v1', 'ReplicationController', meta('rc'), {
    spec: { replicas: 1, selector: { app: 'rc' }, template: template('rc') },
  }),
  made('v1', 'PodTemplate', meta('pt'), { template: template('pt') }),
  made('batch/v1', 'Job', meta('job'), {
    spec: { suspend: true, template: template('job', { restartPolicy: 'Never' }) },
  }),
  made('batch/v1', 'Job', meta('job-parallel'), {
    spec: { suspend: true, parallelism: 3, template: template('job', { restartPolicy: 'Never' }) },
  }),
  made('batch/v1', 'Job', meta('job-many'), {
    spec: { completions: 5, parallelism: 2, template: template('job', { restartPolicy: 'Never' }) },
  }),
  made('batch/v1', 'CronJob', meta('cron'), {
    spec: {
      schedule: '0 3 * * *',
      timeZone: 'Europe/Oslo',
      suspend: true,
      jobTemplate: { spec: { template: template('cron', { restartPolicy: 'Never' }) } },
    },
  }),
  made('batch/v1', 'CronJob', meta('cron-2'), {
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: template('cron', { restartPolicy: 'Never' }) } },
    },
  }),
  made('policy/v1', 'PodDisruptionBudget', meta('pdb'), {
    spec: { minAvailable: '50%', selector: selector('web') },
  }),
  made('policy/v1', 'PodDisruptionBudget', meta('pdb-2'), {
    spec: { maxUnavailable: 0, selector: selector('db') },
  }),
];

const services: readonly Made[] = [
  made('v1', 'Service', meta('svc'), {
    spec: {
      selector: { b: '2', a: '1' },
      ports: [
        { name: 'http', port: 80 },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  }),
  made('v1', 'Service', meta('svc-headless'), { spec: { clusterIP: 'None', selector: { app: 'db' } } }),
  made('v1', 'Service', meta('svc-node'), {
    spec: { type: 'NodePort', externalIPs: ['192.0.2.7'], ports: [{ port: 443, nodePort: 30443 }] },
  }),
  made('v1', 'Service', meta('svc-lb'), { spec: { type: 'LoadBalancer', ports: [{ port: 443 }] } }),
  made(
    'v1',
    'Service',
    meta('svc-lb-2'),
    { spec: { type: 'LoadBalancer', externalIPs: ['192.0.2.8'], ports: [{ port: 443 }] } },
    {
      loadBalancer: {
        ingress: [{ ip: '198.51.100.9' }, { hostname: 'lb.example' }, { ip: '198.51.100.10' }],
      },
    },
  ),
  made('v1', 'Service', meta('svc-external'), { spec: { type: 'ExternalName', externalName: 'db.example' } }),
  made('v1', 'Endpoints', meta('ep'), {
    subsets: [
      {
        addresses: ['10.0.0.1', '10.0.0.2'].map((ip) => ({ ip })),
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
      { addresses: [{ ip: '2001:db8::1' }] },
    ],
  }),
  made('v1', 'Endpoints', meta('ep-6'), {
    subsets: [{ addresses: [{ ip: '2001:db8::2' }], ports: [{ port: 443 }] }],
  }),
  made('v1', 'Endpoints', meta('ep-none')),
  made('discovery.k8s.io/v1', 'EndpointSlice', meta('slice'), {
    addressType: 'IPv4',
    ports: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
      { name: 'c', port: 3 },
      { name: 'd', port: 4 },
    ],
    endpoints: [
      { addresses: ['10.0.0.1'] },
      { addresses: ['10.0.0.2'] },
      { addresses: ['10.0.0.3'] },
      { addresses: ['10.0.0.4'] },
    ],
  }),
  made('discovery.k8s.io/v1', 'EndpointSlice', meta('slice-none'), {
    addressType: 'IPv4',
    ports: [],
    endpoints: [],
  }),
  made('networking.k8s.io/v1', 'Ingress', meta('ing'), {
    spec: {
      ingressClassName: 'rec-class',
      tls: [{ hosts: ['a.example'] }],
      rules: ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host: `${host}.example` })),
    },
  }),
  made(
    'networking.k8s.io/v1',
    'Ingress',
    meta('ing-2'),
    { spec: { defaultBackend: { service: { name: 'x', port: { number: 80 } } } } },
    { loadBalancer: { ingress: [{ hostname: 'z.example' }, { ip: '192.0.2.1' }] } },
  ),
  made(
    'networking.k8s.io/v1',
    'IngressClass',
    wide('class', { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } }),
    {
      spec: {
        controller: 'example.com/ingress',
        parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'one' },
      },
    },
  ),
  made('networking.k8s.io/v1', 'IngressClass', wide('class-2'), {
    spec: { controller: 'example.com/other' },
  }),
  made('networking.k8s.io/v1', 'NetworkPolicy', meta('np'), { spec: { podSelector: {} } }),
  made('networking.k8s.io/v1', 'NetworkPolicy', meta('np-2'), {
    spec: {
      podSelector: {
        matchLabels: { z: '1', a: '2' },
        matchExpressions: [{ key: 'm', operator: 'In', values: ['q', 'p'] }],
      },
    },
  }),
];

const storage: readonly Made[] = [
  made(
    'storage.k8s.io/v1',
    'StorageClass',
    wide('sc', { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }),
    {
      provisioner: 'example.com/disk',
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Retain',
    },
  ),
  made('storage.k8s.io/v1', 'StorageClass', wide('sc-2'), { provisioner: 'example.com/disk' }),
  made('v1', 'PersistentVolume', wide('pv'), {
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadOnlyMany'],
      claimRef: { namespace: 'rec-space', name: 'rec-pvc' },
      storageClassName: 'rec-sc',
      hostPath: { path: '/x' },
    },
  }),
  made('v1', 'PersistentVolume', wide('pv-2'), {
    spec: {
      capacity: { storage: '1000Mi' },
      accessModes: ['ReadWriteOncePod'],
      hostPath: { path: '/x' },
      volumeMode: 'Block',
    },
  }),
  made('v1', 'PersistentVolumeClaim', meta('pvc'), {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'rec-sc',
      volumeName: 'rec-pv',
      resources: { requests: { storage: '10Gi' } },
    },
  }),
  made(
    'v1',
    'PersistentVolumeClaim',
    meta('pvc-2', { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } }),
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ),
  made('storage.k8s.io/v1', 'VolumeAttachment', wide('va'), {
    spec: { attacher: 'disk.example.com', nodeName: 'rec-node', source: { persistentVolumeName: 'rec-pv' } },
  }),
  made('storage.k8s.io/v1', 'CSIDriver', wide('driver'), {
    spec: {
      attachRequired: false,
      tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
      requiresRepublish: true,
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    },
  }),
  made('storage.k8s.io/v1', 'CSIDriver', wide('driver-2'), { spec: {} }),
  made('storage.k8s.io/v1', 'CSINode', wide('node'), { spec: { drivers: [{ name: 'x', nodeID: 'y' }] } }),
  made('storage.k8s.io/v1', 'CSIStorageCapacity', meta('cap'), {
    storageClassName: 'rec-sc',
    capacity: '20Gi',
  }),
  made('storage.k8s.io/v1', 'VolumeAttributesClass', wide('vac'), {
    driverName: 'example.com/disk',
    parameters: { a: 'b' },
  }),
];

const subjects = [
  { kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'User', name: 'bo', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'Group', name: 'team', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'rec-space' },
];
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const hook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://hook.example' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  failurePolicy: 'Ignore',
  rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['none'], operations: ['CREATE'] }],
};

const platform: readonly Made[] = [
  made(
    'v1',
    'Node',
    wide('node', {
      labels: {
        'node-role.kubernetes.io/worker': '',
        'node-role.kubernetes.io/edge': '',
        'kubernetes.io/role': 'old',
      },
    }),
    { spec: { unschedulable: true } },
    {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [
        { type: 'InternalIP', address: '10.0.0.5' },
        { type: 'ExternalIP', address: '192.0.2.5' },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.36.1',
        osImage: 'Example OS',
        kernelVersion: '6.1',
        architecture: 'arm64',
        containerRuntimeVersion: 'cri-o://1.36',
        machineID: '',
        systemUUID: '',
        bootID: '',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
      },
    },
  ),
  made('v1', 'Node', wide('node-2'), {}, { conditions: [{ type: 'Ready', status: 'Unknown' }] }),
  made('v1', 'Secret', meta('secret'), { stringData: { a: '1', b: '2' } }),
  made('v1', 'ConfigMap', meta('cm'), { data: { a: '1' }, binaryData: { b: 'AA==' } }),
  made('v1', 'ServiceAccount', meta('sa')),
  made('v1', 'LimitRange', meta('lr'), { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
  made('rbac.authorization.k8s.io/v1', 'Role', meta('role'), { rules }),
  made('rbac.authorization.k8s.io/v1', 'RoleBinding', meta('rb'), {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'rec-role' },
    subjects,
  }),
  made('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', wide('crb'), {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'rec-none' },
    subjects,
  }),
  made('coordination.k8s.io/v1', 'Lease', meta('lease'), { spec: { holderIdentity: 'me' } }),
  made('coordination.k8s.io/v1', 'Lease', meta('lease-2'), { spec: {} }),
  made('scheduling.k8s.io/v1', 'PriorityClass', wide('pc'), { value: 1000, preemptionPolicy: 'Never' }),
  made('node.k8s.io/v1', 'RuntimeClass', wide('rtc'), { handler: 'gvisor' }),
  made('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', wide('vwc'), {
    webhooks: [hook],
  }),
  made('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', wide('mwc'), {
    webhooks: [hook, { ...hook, name: 'b.example.com' }],
  }),
  made('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', wide('vap'), {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['none'], operations: ['CREATE'] },
        ],
      },
      validations: [{ expression: 'true' }],
    },
  }),
  made('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', wide('vapb'), {
    spec: {
      policyName: 'rec-vap',
      validationActions: ['Audit'],
      paramRef: { name: 'rec-cm', namespace: 'rec-space', parameterNotFoundAction: 'Allow' },
    },
  }),
  made('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', wide('vapb-2'), {
    spec: { policyName: 'rec-vap', validationActions: ['Audit'] },
  }),
  made('v1', 'Event', meta('ev'), {
    involvedObject: {
      kind: 'Pod',
      name: 'rec-pod-running',
      namespace: 'rec-space',
      fieldPath: 'spec.containers{a}',
    },
    reason: 'Started',
    message: ' The container started.\n',
    type: 'Normal',
    count: 3,
    source: { component: 'kubelet', host: 'rec-node' },
    firstTimestamp: '2026-11-20T10:00:00Z',
    lastTimestamp: '2026-11-20T11:00:00Z',
  }),
  made('v1', 'Event', meta('ev-new'), {
    involvedObject: { kind: 'Pod', namespace: 'rec-space' },
    reason: 'Seen',
    action: 'Watching',
    message: 'Seen again.',
    type: 'Warning',
    eventTime: '2026-11-20T10:00:00.000000Z',
    series: { count: 9, lastObservedTime: '2026-11-20T12:00:00.000000Z' },
    reportingComponent: 'example.com/eye',
    reportingInstance: 'eye-1',
  }),
  made('resource.k8s.io/v1', 'DeviceClass', wide('gpu'), { spec: {} }),
  made('resource.k8s.io/v1', 'ResourceClaim', meta('claim'), {
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'rec-gpu' } }] } },
  }),
  made('resource.k8s.io/v1', 'ResourceClaimTemplate', meta('rct'), {
    spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'rec-gpu' } }] } } },
  }),
  made('resource.k8s.io/v1', 'ResourceSlice', wide('rs'), {
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'rec-node',
      pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd0' }],
    },
  }),
  made(
    'apps/v1',
    'ControllerRevision',
    meta('rev', {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'rec-db', uid: '0', controller: true },
      ],
    }),
    { revision: 4, data: {} },
  ),
  made('apps/v1', 'ControllerRevision', meta('rev-2'), { revision: 1, data: {} }),
  made(
    'apiregistration.k8s.io/v1',
    'APIService',
    { name: 'v1.rec.example' },
    {
      spec: {
        group: 'rec.example',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { name: 'x', namespace: 'rec-space' },
      },
    },
  ),
  made('networking.k8s.io/v1', 'ServiceCIDR', wide('cidr'), { spec: { cidrs: ['10.9.0.0/24'] } }),
];

/** Objects of every built-in kind that has columns of its own, in the states that columns tell apart. */
export function objectsOfBuiltInKinds(): readonly Made[] {
  return [
    made('v1', 'Namespace', { name: 'rec-space' }),
    made('v1', 'ServiceAccount', { name: 'default', namespace: 'rec-space' }),
    ...platform,
    ...services,
    ...storage,
    ...workloads,
    ...autoscalers,
    ...pods,
    // Last: it would refuse pods without limits.
    made(
      'v1',
      'ResourceQuota',
      meta('quota'),
      { spec: { hard: { pods: '100', 'requests.cpu': '4', 'limits.cpu': '8', 'limits.memory': '8Gi' } } },
      {
        hard: { pods: '100', 'requests.cpu': '4', 'limits.cpu': '8', 'limits.memory': '8Gi' },
        used: { pods: '3', 'requests.cpu': '1500m', 'limits.cpu': '2' },
      },
    ),
  ];
}
