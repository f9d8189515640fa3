import {
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textsAt,
  valueAt,
} from '../../base/json-fields.ts';
import { ageOf } from '../ages.ts';
import { quantityText } from '../quantity-text.ts';
import { labelsText } from '../selectors.ts';
import {
  accessModes,
  age,
  type Cell,
  type ColumnsOfKinds,
  column,
  name,
  orNone,
  text,
  textOr,
  wide,
} from './column.ts';

/** Columns of the other kinds of the core group. */
export const coreColumns: ColumnsOfKinds = {
  nodes: [
    name,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    age,
    text('Version', 'status', 'nodeInfo', 'kubeletVersion'),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', (node) => orNone(textAt(node, 'status', 'nodeInfo', 'osImage'), '<unknown>')),
    wide('Kernel-Version', kernelText),
    wide('Container-Runtime', (node) =>
      orNone(textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion'), '<unknown>'),
    ),
  ],
  namespaces: [name, text('Status', 'status', 'phase'), age],
  events: eventColumns(),
  // The same objects under another group; servers print them alike.
  'events.events.k8s.io': eventColumns(),
  services: [
    name,
    text('Type', 'spec', 'type'),
    column('Cluster-IP', (service) =>
      orNone(textsAt(service, 'spec', 'clusterIPs')[0] ?? textAt(service, 'spec', 'clusterIP')),
    ),
    column('External-IP', externalIp),
    column('Port(s)', (service) => orNone(listAt(service, 'spec', 'ports').map(portText).join(','))),
    age,
    wide('Selector', (service) => labelsText(valueAt(service, 'spec', 'selector'))),
  ],
  endpoints: [name, column('Endpoints', endpointsText), age],
  resourcequotas: [
    name,
    column('Request', (quota) => quotaText(quota, (key) => !key.startsWith('limits.'))),
    column('Limit', (quota) => quotaText(quota, (key) => key.startsWith('limits.'))),
    age,
  ],
  secrets: [name, text('Type', 'type'), entries('Data', 'data'), age],
  configmaps: [name, entries('Data', 'data', 'binaryData'), age],
  serviceaccounts: [name, age],
  persistentvolumes: [
    name,
    column('Capacity', (volume) => quantityText(valueAt(volume, 'spec', 'capacity', 'storage')) ?? '0'),
    column('Access Modes', (volume) => accessModes(volume, 'spec', 'accessModes')),
    text('Reclaim Policy', 'spec', 'persistentVolumeReclaimPolicy'),
    column('Status', phaseText),
    column('Claim', (volume) => {
      const claim = objectAt(volume, 'spec', 'claimRef');
      return claim.name === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
    }),
    column('StorageClass', storageClassText),
    textOr('VolumeAttributesClass', '<unset>', 'spec', 'volumeAttributesClassName'),
    text('Reason', 'status', 'reason'),
    age,
    wide('VolumeMode', (volume) => orNone(textAt(volume, 'spec', 'volumeMode'), '<unset>')),
  ],
  persistentvolumeclaims: [
    name,
    column('Status', phaseText),
    text('Volume', 'spec', 'volumeName'),
    column('Capacity', (claim) =>
      isBound(claim) ? (quantityText(valueAt(claim, 'status', 'capacity', 'storage')) ?? '0') : '',
    ),
    column('Access Modes', (claim) => (isBound(claim) ? accessModes(claim, 'status', 'accessModes') : '')),
    column('StorageClass', storageClassText),
    textOr('VolumeAttributesClass', '<unset>', 'spec', 'volumeAttributesClassName'),
    age,
    wide('VolumeMode', (claim) => orNone(textAt(claim, 'spec', 'volumeMode'), '<unset>')),
  ],
  componentstatuses: [
    name,
    column('Status', (component) => {
      const { status } = healthOf(component);
      return status === undefined ? 'Unknown' : status === 'True' ? 'Healthy' : 'Unhealthy';
    }),
    column('Message', (component) => textAt(healthOf(component), 'message')),
    column('Error', (component) => textAt(healthOf(component), 'error')),
  ],
};

function entries(title: string, ...fields: readonly string[]) {
  const count: Cell = (object) =>
    fields.reduce((sum, field) => sum + Object.keys(objectAt(object, field)).length, 0);
  // A number in a column of texts: so a server answers.
  return column(title, count);
}

function nodeStatus(node: JsonObject): string {
  const ready = listAt(node, 'status', 'conditions').findLast(({ type }) => type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles(node: JsonObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.entries(objectAt(node, 'metadata', 'labels')).flatMap(([key, value]) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : key === 'kubernetes.io/role' ? [String(value)] : [],
  );
  return orNone([...new Set(roles.filter((role) => role !== ''))].sort().join(','));
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

function kernelText(node: JsonObject): string {
  const info = objectAt(node, 'status', 'nodeInfo');
  const kernel = orNone(textAt(info, 'kernelVersion'), '<unknown>');
  const architecture = textAt(info, 'architecture');
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

function eventColumns() {
  const firstSeen: Cell = (event, now) =>
    ageOf(
      textAt(event, 'firstTimestamp') ||
        textAt(event, 'deprecatedFirstTimestamp') ||
        textAt(event, 'eventTime'),
      now,
    );
  const about = (event: JsonObject): JsonObject =>
    event.involvedObject === undefined ? objectAt(event, 'regarding') : objectAt(event, 'involvedObject');
  return [
    column('Last Seen', (event, now) => {
      const series = textAt(event, 'series', 'lastObservedTime');
      const last = textAt(event, 'lastTimestamp') || textAt(event, 'deprecatedLastTimestamp');
      if (valueAt(event, 'series') !== undefined && valueAt(event, 'series') !== null)
        return ageOf(series, now);
      return last === '' ? firstSeen(event, now) : ageOf(last, now);
    }),
    text('Type', 'type'),
    text('Reason', 'reason'),
    column('Object', (event) =>
      [textAt(about(event), 'kind').toLowerCase(), textAt(about(event), 'name')].filter(Boolean).join('/'),
    ),
    wide('Subobject', (event) => textAt(about(event), 'fieldPath')),
    wide('Source', (event) => {
      const source = objectAt(event, event.source === undefined ? 'deprecatedSource' : 'source');
      const component =
        textAt(source, 'component') ||
        textAt(event, 'reportingComponent') ||
        textAt(event, 'reportingController');
      const instance = textAt(source, 'host') || textAt(event, 'reportingInstance');
      return instance === '' ? component : `${component}, ${instance}`;
    }),
    column('Message', (event) => (textAt(event, 'message') || textAt(event, 'note')).trim()),
    wide('First Seen', firstSeen),
    wide('Count', (event) => {
      if (isObject(event.series)) return numberAt(event, 'series', 'count');
      return numberAt(event, 'count') || numberAt(event, 'deprecatedCount') || 1;
    }),
    { ...wide('Name', (event) => textAt(event, 'metadata', 'name')), format: 'name' },
  ];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function portText(port: JsonObject): string {
  const node = numberAt(port, 'nodePort');
  return `${textAt(port, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(port, 'protocol') || 'TCP'}`;
}

function externalIp(service: JsonObject): string {
  const type = textAt(service, 'spec', 'type');
  const given = textsAt(service, 'spec', 'externalIPs');
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName');
  if (type === 'ClusterIP' || type === 'NodePort' || type === '') return orNone(given.join(','));
  if (type !== 'LoadBalancer') return '<unknown>';
  const balanced = balancerText(service);
  const all = [...(balanced === '' ? [] : [balanced]), ...given].join(',');
  return orNone(all, '<pending>');
}

/** The addresses a load balancer gave, each once, in the order of their texts. */
export function balancerText(object: JsonObject): string {
  const addresses = listAt(object, 'status', 'loadBalancer', 'ingress').flatMap((each) => {
    const address = textAt(each, 'ip') || textAt(each, 'hostname');
    return address === '' ? [] : [address];
  });
  return [...new Set(addresses)].sort().join(',');
}

/** Endpoints that are shown. */
const mostEndpoints = 3;

function endpointsText(endpoints: JsonObject): string {
  const subsets = listAt(endpoints, 'subsets');
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const ips = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
    const ports = listAt(subset, 'ports').map((port) => textAt(port, 'port'));
    if (ports.length === 0) return ips;
    return ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
  });
  const shown = all.slice(0, mostEndpoints).join(',');
  return all.length > mostEndpoints ? `${shown} + ${all.length - mostEndpoints} more...` : shown;
}

function quotaText(quota: JsonObject, wanted: (key: string) => boolean): string {
  const hard = objectAt(quota, 'status', 'hard');
  return Object.keys(hard)
    .filter(wanted)
    .sort()
    .map((key) => `${key}: ${textAt(quota, 'status', 'used', key) || '0'}/${hard[key]}`)
    .join(', ');
}

function phaseText(object: JsonObject): string {
  const isGoing = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  return isGoing ? 'Terminating' : textAt(object, 'status', 'phase');
}

/** The annotation is older than the field and takes precedence. */
function storageClassText(object: JsonObject): string {
  const annotated = valueAt(object, 'metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class');
  return typeof annotated === 'string' ? annotated : textAt(object, 'spec', 'storageClassName');
}

const isBound = (claim: JsonObject): boolean => textAt(claim, 'spec', 'volumeName') !== '';

function healthOf(component: JsonObject): JsonObject {
  return listAt(component, 'conditions').find(({ type }) => type === 'Healthy') ?? {};
}
