import { type JsonObject, listAt, objectAt, textAt, textsAt, valueAt } from '../../base/json-fields.ts';
import { ageOf, humanDuration } from '../ages.ts';
import { selectorText } from '../selectors.ts';
import {
  age,
  type ColumnsOfKinds,
  column,
  createdAt,
  flag,
  length,
  listed,
  name,
  nameOrDefault,
  number,
  orNone,
  text,
  textOr,
  wide,
} from './column.ts';

const subjects = (object: JsonObject, kind: string): string =>
  listAt(object, 'subjects')
    .filter((subject) => subject.kind === kind)
    .map((subject) =>
      kind === 'ServiceAccount'
        ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`
        : textAt(subject, 'name'),
    )
    .join(', ');

const bindingColumns = [
  name,
  column('Role', (binding) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`),
  age,
  wide('Users', (binding) => subjects(binding, 'User')),
  wide('Groups', (binding) => subjects(binding, 'Group')),
  wide('ServiceAccounts', (binding) => subjects(binding, 'ServiceAccount')),
];

const webhookColumns = [name, length('Webhooks', 'webhooks'), age];

const paramKind = column('ParamKind', (policy) => {
  const kind = objectAt(policy, 'spec', 'paramKind');
  return kind.kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
});

const policyBindingColumns = [
  name,
  text('PolicyName', 'spec', 'policyName'),
  column('ParamRef', paramText),
  age,
];

/** Columns of storage, access, admission, scheduling, devices and the API server's own kinds. */
export const platformColumns: ColumnsOfKinds = {
  'rolebindings.rbac.authorization.k8s.io': bindingColumns,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingColumns,
  'certificatesigningrequests.certificates.k8s.io': [
    name,
    age,
    textOr('SignerName', '<none>', 'spec', 'signerName'),
    text('Requestor', 'spec', 'username'),
    column('RequestedDuration', (request) => {
      const seconds = valueAt(request, 'spec', 'expirationSeconds');
      return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
    }),
    column('Condition', signingState),
  ],
  'clustertrustbundles.certificates.k8s.io': [name, textOr('SignerName', '<none>', 'spec', 'signerName')],
  'leases.coordination.k8s.io': [name, text('Holder', 'spec', 'holderIdentity'), age],
  'leasecandidates.coordination.k8s.io': [
    name,
    text('LeaseName', 'spec', 'leaseName'),
    text('BinaryVersion', 'spec', 'binaryVersion'),
    text('EmulationVersion', 'spec', 'emulationVersion'),
    age,
  ],
  'storageclasses.storage.k8s.io': [
    nameOrDefault(
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    ),
    text('Provisioner', 'provisioner'),
    textOr('ReclaimPolicy', 'Delete', 'reclaimPolicy'),
    textOr('VolumeBindingMode', 'Immediate', 'volumeBindingMode'),
    // A flag in a column of texts: so a server answers.
    { ...flag('AllowVolumeExpansion', false, 'allowVolumeExpansion'), type: 'string' },
    age,
  ],
  'volumeattributesclasses.storage.k8s.io': [name, text('DriverName', 'driverName'), age],
  'volumeattachments.storage.k8s.io': [
    name,
    { ...text('Attacher', 'spec', 'attacher'), format: 'name' },
    text('PV', 'spec', 'source', 'persistentVolumeName'),
    text('Node', 'spec', 'nodeName'),
    flag('Attached', false, 'status', 'attached'),
    age,
  ],
  'csinodes.storage.k8s.io': [name, length('Drivers', 'spec', 'drivers'), age],
  'csidrivers.storage.k8s.io': [
    name,
    flag('AttachRequired', true, 'spec', 'attachRequired'),
    flag('PodInfoOnMount', false, 'spec', 'podInfoOnMount'),
    flag('StorageCapacity', false, 'spec', 'storageCapacity'),
    column('TokenRequests', (driver) =>
      Array.isArray(valueAt(driver, 'spec', 'tokenRequests'))
        ? listAt(driver, 'spec', 'tokenRequests')
            .map((each) => textAt(each, 'audience'))
            .join(',')
        : '<unset>',
    ),
    flag('RequiresRepublish', false, 'spec', 'requiresRepublish'),
    column('Modes', (driver) => orNone(textsAt(driver, 'spec', 'volumeLifecycleModes').join(','))),
    age,
  ],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
  'validatingadmissionpolicies.admissionregistration.k8s.io': [
    name,
    length('Validations', 'spec', 'validations'),
    paramKind,
    age,
  ],
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': [
    name,
    length('Mutations', 'spec', 'mutations'),
    paramKind,
    age,
  ],
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'priorityclasses.scheduling.k8s.io': [
    name,
    number('Value', 'value'),
    flag('Global-Default', false, 'globalDefault'),
    age,
    text('PreemptionPolicy', 'preemptionPolicy'),
  ],
  'runtimeclasses.node.k8s.io': [name, text('Handler', 'handler'), age],
  'flowschemas.flowcontrol.apiserver.k8s.io': [
    name,
    text('PriorityLevel', 'spec', 'priorityLevelConfiguration', 'name'),
    { ...number('MatchingPrecedence', 'spec', 'matchingPrecedence'), type: 'string' },
    textOr('DistinguisherMethod', '<none>', 'spec', 'distinguisherMethod', 'type'),
    age,
    column('MissingPL', (schema) => {
      const dangling = listAt(schema, 'status', 'conditions').find(({ type }) => type === 'Dangling');
      return dangling === undefined ? '?' : textAt(dangling, 'status');
    }),
  ],
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': [
    name,
    text('Type', 'spec', 'type'),
    limited('NominalConcurrencyShares', 'nominalConcurrencyShares'),
    limited('Queues', 'limitResponse', 'queuing', 'queues'),
    limited('HandSize', 'limitResponse', 'queuing', 'handSize'),
    limited('QueueLengthLimit', 'limitResponse', 'queuing', 'queueLengthLimit'),
    age,
  ],
  'storageversions.internal.apiserver.k8s.io': [
    name,
    textOr('CommonEncodingVersion', '<unset>', 'status', 'commonEncodingVersion'),
    column('StorageVersions', (each) =>
      listed(
        listAt(each, 'status', 'storageVersions').map(
          (version) => `${textAt(version, 'apiServerID')}=${textAt(version, 'encodingVersion')}`,
        ),
        3,
        '<unset>',
      ),
    ),
    age,
  ],
  'deviceclasses.resource.k8s.io': [name, age],
  'resourceclaims.resource.k8s.io': [name, column('State', claimState), age],
  'resourceclaimtemplates.resource.k8s.io': [name, age],
  'resourceslices.resource.k8s.io': [
    name,
    text('Node', 'spec', 'nodeName'),
    text('Driver', 'spec', 'driver'),
    text('Pool', 'spec', 'pool', 'name'),
    age,
  ],
  'devicetaintrules.resource.k8s.io': [
    name,
    text('Key', 'spec', 'taint', 'key'),
    text('Value', 'spec', 'taint', 'value'),
    text('Effect', 'spec', 'taint', 'effect'),
    column('TimeAdded', (rule, now) => {
      const added = textAt(rule, 'spec', 'taint', 'timeAdded');
      return added === '' ? '' : ageOf(added, now);
    }),
    age,
  ],
  'apiservices.apiregistration.k8s.io': [
    name,
    column('Service', (service) => {
      const by = objectAt(service, 'spec', 'service');
      return by.name === undefined ? 'Local' : `${textAt(by, 'namespace')}/${textAt(by, 'name')}`;
    }),
    column('Available', availableText),
    age,
  ],
  'customresourcedefinitions.apiextensions.k8s.io': [name, createdAt],
  'pods.metrics.k8s.io': measured(podUsage),
  'nodes.metrics.k8s.io': measured((metrics, resource) => textAt(metrics, 'usage', resource)),
};

function measured(usageOf: (metrics: JsonObject, resource: string) => string) {
  return [
    name,
    column('cpu', (metrics) => usageOf(metrics, 'cpu')),
    column('memory', (metrics) => usageOf(metrics, 'memory')),
    text('Window', 'window'),
  ];
}

function podUsage(metrics: JsonObject, resource: string): string {
  return listAt(metrics, 'containers')
    .map((container) => textAt(container, 'usage', resource))
    .join('+');
}

function limited(title: string, ...path: readonly string[]) {
  return column(title, (level) => {
    const value = valueAt(level, 'spec', 'limited', ...path);
    return typeof value === 'number' ? value : '<none>';
  });
}

function paramText(binding: JsonObject): string {
  const param = objectAt(binding, 'spec', 'paramRef');
  if (textAt(param, 'name') !== '') return `${textAt(param, 'namespace') || '*'}/${textAt(param, 'name')}`;
  return param.selector === undefined ? '<unset>' : selectorText(param.selector);
}

function signingState(request: JsonObject): string {
  const types = listAt(request, 'status', 'conditions').map(({ type }) => type);
  const state = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  const failed = types.includes('Failed') ? ',Failed' : '';
  return `${state}${failed}${textAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

function claimState(claim: JsonObject): string {
  const isGoing = textAt(claim, 'metadata', 'deletionTimestamp') !== '';
  const isAllocated = valueAt(claim, 'status', 'allocation') !== undefined;
  const isReserved = listAt(claim, 'status', 'reservedFor').length > 0;
  return [
    ...(isGoing ? ['deleted'] : []),
    ...(isAllocated ? ['allocated'] : isGoing ? [] : ['pending']),
    ...(isAllocated && isReserved ? ['reserved'] : []),
  ].join(',');
}

function availableText(service: JsonObject): string {
  const available = listAt(service, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  const status = textAt(available, 'status');
  return status === 'True' ? status : `${status} (${textAt(available, 'reason')})`;
}
