import { type JsonObject, listAt, numberAt, objectAt, textAt, valueAt } from '../../base/json-fields.ts';
import { ageOf, humanDuration } from '../ages.ts';
import { quantityText } from '../quantity-text.ts';
import { labelsText, selectorText } from '../selectors.ts';
import { age, type Cell, type ColumnsOfKinds, column, length, name, number, text, wide } from './column.ts';
import { podColumns, readinessGates } from './pod-columns.ts';

const containers = (field: 'name' | 'image', ...template: readonly string[]): Cell => {
  return (object) =>
    listAt(object, ...template, 'spec', 'containers')
      .map((each) => textAt(each, field))
      .join(',');
};

const templateColumns = (...template: readonly string[]) => [
  wide('Containers', containers('name', ...template)),
  wide('Images', containers('image', ...template)),
];
const inTemplate = templateColumns('spec', 'template');
const selector = wide('Selector', (object) => selectorText(valueAt(object, 'spec', 'selector')));

const readyOf: Cell = (object) =>
  `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`;
const desired = number('Desired', 'spec', 'replicas');
const current = number('Current', 'status', 'replicas');
const ready = number('Ready', 'status', 'readyReplicas');

/** Columns of pods and of what runs them (core, apps, batch, autoscaling, policy). */
export const workloadColumns: ColumnsOfKinds = {
  pods: [
    name,
    column('Ready', (pod, now) => podColumns(pod, now).ready),
    column('Status', (pod, now) => podColumns(pod, now).status),
    column('Restarts', (pod, now) => podColumns(pod, now).restarts),
    age,
    wide(
      'IP',
      (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || textAt(pod, 'status', 'podIP') || '<none>',
    ),
    wide('Node', (pod) => textAt(pod, 'spec', 'nodeName') || '<none>'),
    wide('Nominated Node', (pod) => textAt(pod, 'status', 'nominatedNodeName') || '<none>'),
    wide('Readiness Gates', readinessGates),
  ],
  podtemplates: [
    name,
    column('Containers', containers('name', 'template')),
    column('Images', containers('image', 'template')),
    column('Pod Labels', (each) => labelsText(valueAt(each, 'template', 'metadata', 'labels'))),
  ],
  replicationcontrollers: [
    name,
    desired,
    current,
    ready,
    age,
    ...inTemplate,
    wide('Selector', (each) => labelsText(valueAt(each, 'spec', 'selector'))),
  ],
  'replicasets.apps': [name, desired, current, ready, age, ...inTemplate, selector],
  'deployments.apps': [
    name,
    column('Ready', readyOf),
    // Numbers, whatever the column says of itself: so a server answers.
    { ...number('Up-to-date', 'status', 'updatedReplicas'), type: 'string' },
    { ...number('Available', 'status', 'availableReplicas'), type: 'string' },
    age,
    ...inTemplate,
    wide('Selector', (each) => selectorText(valueAt(each, 'spec', 'selector'), '')),
  ],
  'statefulsets.apps': [name, column('Ready', readyOf), age, ...inTemplate],
  'daemonsets.apps': [
    name,
    number('Desired', 'status', 'desiredNumberScheduled'),
    number('Current', 'status', 'currentNumberScheduled'),
    number('Ready', 'status', 'numberReady'),
    number('Up-to-date', 'status', 'updatedNumberScheduled'),
    number('Available', 'status', 'numberAvailable'),
    column('Node Selector', (set) => labelsText(valueAt(set, 'spec', 'template', 'spec', 'nodeSelector'))),
    age,
    ...inTemplate,
    selector,
  ],
  'controllerrevisions.apps': [
    name,
    column('Controller', controllerText),
    // Said to be a text, and answered as a number.
    { ...number('Revision', 'revision'), type: 'string' },
    age,
  ],
  'jobs.batch': [
    name,
    column('Status', jobStatus),
    column('Completions', completions),
    column('Duration', jobDuration),
    age,
    ...inTemplate,
    selector,
  ],
  'cronjobs.batch': [
    name,
    text('Schedule', 'spec', 'schedule'),
    column('Timezone', (job) => valueAt(job, 'spec', 'timeZone') ?? '<none>'),
    column('Suspend', suspendText, 'boolean'),
    length('Active', 'status', 'active'),
    column('Last Schedule', (job, now) => {
      const last = textAt(job, 'status', 'lastScheduleTime');
      return last === '' ? '<none>' : ageOf(last, now);
    }),
    age,
    ...templateColumns('spec', 'jobTemplate', 'spec', 'template'),
    wide('Selector', (job) => selectorText(valueAt(job, 'spec', 'jobTemplate', 'spec', 'selector'))),
  ],
  'horizontalpodautoscalers.autoscaling': [
    name,
    column('Reference', (hpa) => {
      const target = objectAt(hpa, 'spec', 'scaleTargetRef');
      return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
    }),
    column('Targets', metricsText),
    column('MinPods', (hpa) => textAt(hpa, 'spec', 'minReplicas') || '<unset>'),
    { ...number('MaxPods', 'spec', 'maxReplicas'), type: 'string' },
    { ...number('Replicas', 'status', 'currentReplicas'), type: 'string' },
    age,
  ],
  'poddisruptionbudgets.policy': [
    name,
    column('Min Available', (budget) => textAt(budget, 'spec', 'minAvailable') || 'N/A'),
    column('Max Unavailable', (budget) => textAt(budget, 'spec', 'maxUnavailable') || 'N/A'),
    number('Allowed Disruptions', 'status', 'disruptionsAllowed'),
    age,
  ],
};

function suspendText(job: JsonObject): string {
  const suspended = valueAt(job, 'spec', 'suspend');
  if (typeof suspended !== 'boolean') return '<unset>';
  return suspended ? 'True' : 'False';
}

function controllerText(revision: JsonObject): string {
  const owner = listAt(revision, 'metadata', 'ownerReferences').find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const apiVersion = textAt(owner, 'apiVersion');
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  return `${textAt(owner, 'kind')}${group}`.toLowerCase().concat('/', textAt(owner, 'name'));
}

function completions(job: JsonObject): string {
  const done = numberAt(job, 'status', 'succeeded');
  const wanted = valueAt(job, 'spec', 'completions');
  if (typeof wanted === 'number') return `${done}/${wanted}`;
  const parallel = numberAt(job, 'spec', 'parallelism');
  return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`;
}

function jobStatus(job: JsonObject): string {
  const conditions = listAt(job, 'status', 'conditions');
  const has = (type: string): boolean => conditions.find((each) => each.type === type)?.status === 'True';
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

/** Metrics that are shown of an autoscaler. */
const mostMetrics = 2;

function metricsText(hpa: JsonObject): string {
  const old = valueAt(hpa, 'spec', 'targetCPUUtilizationPercentage');
  if (typeof old === 'number')
    return `cpu: ${percent(valueAt(hpa, 'status', 'currentCPUUtilizationPercentage'), '<unknown>')}/${old}%`;
  const statuses = listAt(hpa, 'status', 'currentMetrics');
  const texts = listAt(hpa, 'spec', 'metrics').map((metric, index) => metricText(metric, statuses[index]));
  if (texts.length === 0) return '<none>';
  const shown = texts.slice(0, mostMetrics).join(', ');
  return texts.length > mostMetrics ? `${shown} + ${texts.length - mostMetrics} more...` : shown;
}

const percent = (value: unknown, none: string): string => (typeof value === 'number' ? `${value}%` : none);

const fieldOfMetric: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

function metricText(metric: JsonObject, status: JsonObject | undefined): string {
  const type = textAt(metric, 'type');
  const field = fieldOfMetric[type];
  if (field === undefined) return '<unknown type>';
  const target = objectAt(metric, field, 'target');
  const current = objectAt(status, field, 'current');
  const average = quantityText(target.averageValue);
  const now = (value: unknown): string => quantityText(value) ?? '<unknown>';
  if (field === 'resource' || field === 'containerResource') {
    const of = textAt(metric, field, 'name');
    if (average !== undefined) return `${of}: ${now(current.averageValue)}/${average}`;
    return `${of}: ${percent(current.averageUtilization, '<unknown>')}/${percent(target.averageUtilization, '<auto>')}`;
  }
  if (field === 'pods') return `${now(current.averageValue)}/${average ?? '0'}`;
  if (average !== undefined) return `${now(current.averageValue)}/${average} (avg)`;
  return `${now(current.value)}/${quantityText(target.value) ?? '0'}`;
}
