import { ageOf, humanDuration } from './ages.ts';
import {
  isJsonObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  valueAt,
} from './object-fields.ts';
import { podColumns } from './pod-status.ts';
import type { KubeKind } from './world.ts';

/** A column of what kubectl prints. `wide` ones are shown with `-o wide` only. */
export type Column = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date' | 'number';
  readonly wide: boolean;
  readonly cell: (object: JsonObject, now: number) => unknown;
};

type Cell = Column['cell'];

const column = (name: string, cell: Cell, type: Column['type'] = 'string'): Column => ({
  name,
  type,
  wide: false,
  cell,
});
const wide = (name: string, cell: Cell): Column => ({ name, type: 'string', wide: true, cell });
const number = (name: string, ...path: readonly string[]): Column =>
  column(name, (object) => numberAt(object, ...path), 'integer');
const text = (name: string, ...path: readonly string[]): Column =>
  column(name, (object) => textAt(object, ...path));

const name = text('Name', 'metadata', 'name');
const age = column('Age', (object, now) => ageOf(textAt(object, 'metadata', 'creationTimestamp'), now));
const orNone = (value: string, none = '<none>'): string => (value === '' ? none : value);
const joined = (values: readonly string[]): string => orNone(values.join(','));

/** The columns of a built-in kind as kubectl's server-side printers have them (pkg/printers/internalversion). */
export function builtInColumns({ group, plural }: KubeKind): readonly Column[] {
  return columns[group === '' ? plural : `${plural}.${group}`] ?? [name, age];
}

/** Columns of a custom kind without its own. */
export const plainColumns: readonly Column[] = [name, age];

/** The name, which every kind begins with. */
export const nameColumn = name;

const templateColumns = [
  wide('Containers', (object) =>
    joined(listAt(object, ...templateOf(object), 'spec', 'containers').map((each) => textAt(each, 'name'))),
  ),
  wide('Images', (object) =>
    joined(listAt(object, ...templateOf(object), 'spec', 'containers').map((each) => textAt(each, 'image'))),
  ),
  wide('Selector', (object) => selectorText(objectAt(object, 'spec', 'selector'))),
];

function templateOf(object: JsonObject): readonly string[] {
  return valueAt(object, 'spec', 'jobTemplate') === undefined
    ? ['spec', 'template']
    : ['spec', 'jobTemplate', 'spec', 'template'];
}

function selectorText(selector: JsonObject): string {
  const labels = isJsonObject(selector.matchLabels) ? selector.matchLabels : {};
  return joined(Object.entries(labels).map(([key, value]) => `${key}=${value}`));
}

const readyOf =
  (done: string): Cell =>
  (object) =>
    `${numberAt(object, 'status', done)}/${valueAt(object, 'spec', 'replicas') ?? 1}`;

const columns: Readonly<Record<string, readonly Column[]>> = {
  pods: [
    name,
    column('Ready', (pod, now) => podColumns(pod, now).ready),
    column('Status', (pod, now) => podColumns(pod, now).status),
    column('Restarts', (pod, now) => podColumns(pod, now).restarts),
    age,
    wide('IP', (pod) => orNone(textAt(pod, 'status', 'podIP'))),
    wide('Node', (pod) => orNone(textAt(pod, 'spec', 'nodeName'))),
    wide('Nominated Node', (pod) => orNone(textAt(pod, 'status', 'nominatedNodeName'))),
    wide('Readiness Gates', readinessGates),
  ],
  nodes: [
    name,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    age,
    text('Version', 'status', 'nodeInfo', 'kubeletVersion'),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', (node) => orNone(textAt(node, 'status', 'nodeInfo', 'osImage'), '<unknown>')),
    wide('Kernel-Version', (node) =>
      orNone(textAt(node, 'status', 'nodeInfo', 'kernelVersion'), '<unknown>'),
    ),
    wide('Container-Runtime', (node) =>
      orNone(textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion'), '<unknown>'),
    ),
  ],
  namespaces: [name, text('Status', 'status', 'phase'), age],
  events: [
    column('Last Seen', (event, now) => ageOf(lastSeen(event), now)),
    text('Type', 'type'),
    text('Reason', 'reason'),
    column(
      'Object',
      (event) =>
        `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`,
    ),
    wide('Subobject', (event) => textAt(event, 'involvedObject', 'fieldPath')),
    wide('Source', (event) =>
      [textAt(event, 'source', 'component'), textAt(event, 'source', 'host')].filter(Boolean).join(', '),
    ),
    column('Message', (event) => textAt(event, 'message').trim()),
    wide('First Seen', (event) => textAt(event, 'firstTimestamp')),
    wide('Count', (event) => String(numberAt(event, 'count') || numberAt(event, 'series', 'count') || 1)),
    wide('Name', (event) => textAt(event, 'metadata', 'name')),
  ],
  services: [
    name,
    text('Type', 'spec', 'type'),
    column('Cluster-IP', (service) => orNone(textAt(service, 'spec', 'clusterIP'))),
    column('External-IP', externalIp),
    column('Port(s)', (service) =>
      joined(
        listAt(service, 'spec', 'ports').map(
          (port) =>
            `${textAt(port, 'port')}${port.nodePort === undefined ? '' : `:${port.nodePort}`}/${textAt(port, 'protocol') || 'TCP'}`,
        ),
      ),
    ),
    age,
    wide('Selector', (service) =>
      joined(Object.entries(objectAt(service, 'spec', 'selector')).map(([key, value]) => `${key}=${value}`)),
    ),
  ],
  endpoints: [
    name,
    column('Endpoints', (endpoints) =>
      joined(
        listAt(endpoints, 'subsets').flatMap((subset) =>
          listAt(subset, 'addresses').flatMap(({ ip }) =>
            listAt(subset, 'ports').map(({ port }) => `${ip}:${port}`),
          ),
        ),
      ),
    ),
    age,
  ],
  'endpointslices.discovery.k8s.io': [
    name,
    text('AddressType', 'addressType'),
    column('Ports', (slice) =>
      orNone(
        listAt(slice, 'ports')
          .map((port) => textAt(port, 'port'))
          .join(','),
        '<unset>',
      ),
    ),
    column('Endpoints', (slice) =>
      orNone(
        listAt(slice, 'endpoints')
          .flatMap(({ addresses }) => (Array.isArray(addresses) ? addresses : []))
          .join(','),
        '<unset>',
      ),
    ),
    age,
  ],
  resourcequotas: [
    name,
    column('Request', (quota) => quotaText(quota, (key) => !key.startsWith('limits.'))),
    column('Limit', (quota) => quotaText(quota, (key) => key.startsWith('limits.'))),
    age,
  ],
  secrets: [name, text('Type', 'type'), countColumn('Data', 'data'), age],
  configmaps: [name, countColumn('Data', 'data'), age],
  serviceaccounts: [name, column('Secrets', (account) => listAt(account, 'secrets').length, 'integer'), age],
  persistentvolumeclaims: [
    name,
    text('Status', 'status', 'phase'),
    text('Volume', 'spec', 'volumeName'),
    text('Capacity', 'status', 'capacity', 'storage'),
    column('Access Modes', (claim) => accessModes(valueAt(claim, 'status', 'accessModes'))),
    text('StorageClass', 'spec', 'storageClassName'),
    column('VolumeAttributesClass', (claim) =>
      orNone(textAt(claim, 'spec', 'volumeAttributesClassName'), '<unset>'),
    ),
    age,
    wide('VolumeMode', (claim) => orNone(textAt(claim, 'spec', 'volumeMode'), '<unset>')),
  ],
  'deployments.apps': [
    name,
    column('Ready', readyOf('readyReplicas')),
    number('Up-to-date', 'status', 'updatedReplicas'),
    number('Available', 'status', 'availableReplicas'),
    age,
    ...templateColumns,
  ],
  'statefulsets.apps': [name, column('Ready', readyOf('readyReplicas')), age, ...templateColumns.slice(0, 2)],
  'daemonsets.apps': [
    name,
    number('Desired', 'status', 'desiredNumberScheduled'),
    number('Current', 'status', 'currentNumberScheduled'),
    number('Ready', 'status', 'numberReady'),
    number('Up-to-date', 'status', 'updatedNumberScheduled'),
    number('Available', 'status', 'numberAvailable'),
    column('Node Selector', (set) =>
      joined(
        Object.entries(objectAt(set, 'spec', 'template', 'spec', 'nodeSelector')).map(
          ([key, value]) => `${key}=${value}`,
        ),
      ),
    ),
    age,
    ...templateColumns,
  ],
  'replicasets.apps': [
    name,
    column('Desired', (set) => valueAt(set, 'spec', 'replicas') ?? 1, 'integer'),
    number('Current', 'status', 'replicas'),
    number('Ready', 'status', 'readyReplicas'),
    age,
    ...templateColumns,
  ],
  'jobs.batch': [
    name,
    column('Status', jobStatus),
    column(
      'Completions',
      (job) => `${numberAt(job, 'status', 'succeeded')}/${valueAt(job, 'spec', 'completions') ?? 1}`,
    ),
    column('Duration', jobDuration),
    age,
    ...templateColumns,
  ],
  'cronjobs.batch': [
    name,
    text('Schedule', 'spec', 'schedule'),
    column('Timezone', (job) => orNone(textAt(job, 'spec', 'timeZone'))),
    column('Suspend', (job) => (valueAt(job, 'spec', 'suspend') === true ? 'True' : 'False')),
    column('Active', (job) => listAt(job, 'status', 'active').length, 'integer'),
    column('Last Schedule', (job, now) => {
      const last = textAt(job, 'status', 'lastScheduleTime');
      return last === '' ? '<none>' : ageOf(last, now);
    }),
    age,
    ...templateColumns,
  ],
  'ingresses.networking.k8s.io': [
    name,
    column('Class', (ingress) => orNone(textAt(ingress, 'spec', 'ingressClassName'))),
    column('Hosts', (ingress) => {
      const hosts = listAt(ingress, 'spec', 'rules').map((rule) => textAt(rule, 'host'));
      return orNone(hosts.filter(Boolean).join(','), '*');
    }),
    column('Address', (ingress) =>
      listAt(ingress, 'status', 'loadBalancer', 'ingress')
        .map((each) => textAt(each, 'ip') || textAt(each, 'hostname'))
        .join(','),
    ),
    column('Ports', (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
  'customresourcedefinitions.apiextensions.k8s.io': [
    name,
    column('Created At', (definition) => textAt(definition, 'metadata', 'creationTimestamp'), 'date'),
  ],
  'pods.metrics.k8s.io': [
    name,
    column('cpu', (metrics) => metricsText(metrics, 'cpu')),
    column('memory', (metrics) => metricsText(metrics, 'memory')),
    text('Window', 'window'),
  ],
};

function countColumn(title: string, field: string): Column {
  return column(title, (object) => Object.keys(objectAt(object, field)).length, 'integer');
}

function readinessGates(pod: JsonObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  const met = gates.filter((gate) =>
    listAt(pod, 'status', 'conditions').some(({ type, status }) => type === gate && status === 'True'),
  );
  return `${met.length}/${gates.length}`;
}

function nodeStatus(node: JsonObject): string {
  const ready = listAt(node, 'status', 'conditions').find(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles(node: JsonObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.entries(objectAt(node, 'metadata', 'labels')).flatMap(([key, value]) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : key === 'kubernetes.io/role' ? [String(value)] : [],
  );
  return joined(roles.sort());
}

function nodeAddress(type: string): Cell {
  return (node) =>
    orNone(
      textAt(
        listAt(node, 'status', 'addresses').find((each) => each.type === type),
        'address',
      ),
    );
}

function lastSeen(event: JsonObject): string {
  return (
    textAt(event, 'series', 'lastObservedTime') ||
    textAt(event, 'lastTimestamp') ||
    textAt(event, 'eventTime') ||
    textAt(event, 'firstTimestamp')
  );
}

function externalIp(service: JsonObject): string {
  const type = textAt(service, 'spec', 'type');
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName');
  const given = valueAt(service, 'spec', 'externalIPs');
  const balanced = listAt(service, 'status', 'loadBalancer', 'ingress').map(
    (each) => textAt(each, 'ip') || textAt(each, 'hostname'),
  );
  const all = [...balanced, ...(Array.isArray(given) ? given : [])].join(',');
  return orNone(all, type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function quotaText(quota: JsonObject, wanted: (key: string) => boolean): string {
  const hard = objectAt(quota, 'status', 'hard');
  return Object.keys(hard)
    .filter(wanted)
    .sort()
    .map((key) => `${key}: ${textAt(quota, 'status', 'used', key) || '0'}/${hard[key]}`)
    .join(', ');
}

function accessModes(modes: unknown): string {
  const short: Readonly<Record<string, string>> = {
    ReadWriteOnce: 'RWO',
    ReadOnlyMany: 'ROX',
    ReadWriteMany: 'RWX',
    ReadWriteOncePod: 'RWOP',
  };
  return Array.isArray(modes) ? modes.map((mode) => short[String(mode)] ?? String(mode)).join(',') : '';
}

function jobStatus(job: JsonObject): string {
  const conditions = listAt(job, 'status', 'conditions').filter(({ status }) => status === 'True');
  const has = (type: string): boolean => conditions.some((each) => each.type === type);
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (textAt(job, 'metadata', 'deletionTimestamp') !== '') return 'Terminating';
  if (has('Suspended')) return 'Suspended';
  if (has('FailureTarget')) return 'FailureTarget';
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function jobDuration(job: JsonObject, now: number): string {
  const started = textAt(job, 'status', 'startTime');
  if (started === '') return '';
  const ended = textAt(job, 'status', 'completionTime');
  return humanDuration((ended === '' ? now : Date.parse(ended)) - Date.parse(started));
}

function metricsText(metrics: JsonObject, resource: string): string {
  return listAt(metrics, 'containers')
    .map((container) => textAt(container, 'usage', resource))
    .join('+');
}
