import { isRecord, type RawObject } from '../../../cluster-model/index.ts';
import { timeOfText } from './ages.ts';
import type { TextLine } from './clean-lines.ts';
import type { Command } from './commands.ts';
import { type Field, fieldOf, numberOf, pairsOf, readFields, tableOf, textOf } from './describe-tree.ts';
import { conditionsOf, containersOf, describedPod } from './described-pod.ts';
import { eventIn, eventObject, type PrintedEvent } from './events.ts';
import { kindOf } from './kinds.ts';

/** The object of a description, and the events below it. */
export type Described = {
  readonly object: RawObject;
  readonly events: readonly RawObject[];
  /** Milliseconds between the oldest event below it and the time of printing. */
  readonly oldest: number | undefined;
};

/** Reads one description of `kubectl describe`; undefined for a text that is none of a kind that is known. */
export function describedObject(
  lines: readonly TextLine[],
  command: Command | undefined,
): Described | undefined {
  const at = lines.findIndex(({ text }) => /^Events:/.test(text));
  const root = readFields(at < 0 ? lines : lines.slice(0, at));
  const kind = kindIn(root, command?.verb === 'describe' ? command.kind : undefined);
  const name = textOf(root, 'Name');
  if (kind === undefined || name === undefined) return undefined;
  const { apiVersion, namespaced } = kindOf(kind);
  const namespace = textOf(root, 'Namespace') ?? (namespaced ? command?.namespace : undefined);
  const owner = /^(\w+)\/(\S+)$/.exec(textOf(root, 'Controlled By') ?? '');
  const metadata = {
    name,
    namespace,
    labels: pairsOf(root, 'Labels'),
    creationTimestamp: timeOfText(
      textOf(root, 'CreationTimestamp') ?? textOf(root, 'Start Time') ?? textOf(root, 'Created'),
    ),
    ...deletionOf(root),
    ownerReferences: owner === null ? [] : [{ kind: owner[1], name: owner[2], controller: true }],
  };
  const subject = { kind, name, namespace };
  const printed = at < 0 ? [] : eventsBelow(lines.slice(at + 1), subject);
  const own = bodies[kind]?.(root) ?? generic(root);
  return {
    object: {
      apiVersion: textOf(root, 'API Version') ?? textOf(root, 'Api Version') ?? apiVersion,
      kind,
      ...own,
      metadata: isRecord(own.metadata) ? { ...own.metadata, ...metadata } : metadata,
    },
    events: printed.map((event) => eventObject(event, subject)),
    oldest: printed.reduce<number | undefined>(
      (most, { firstAge }) => (firstAge !== undefined && firstAge > (most ?? -1) ? firstAge : most),
      undefined,
    ),
  };
}

function deletionOf(root: Field): RawObject {
  const at = textOf(root, 'Status');
  if (at?.startsWith('Terminating') !== true) return {};
  const ends = timeOfText(/since\s+(.+?)\)?$/.exec(at)?.[1]);
  return { deletionTimestamp: ends ?? timeOfText(textOf(root, 'Start Time')) };
}

function eventsBelow(lines: readonly TextLine[], about: { kind: string; name: string }): PrintedEvent[] {
  const events: PrintedEvent[] = [];
  for (const { text, number } of lines) {
    const event = eventIn(text, number, about);
    const last = events.at(-1);
    if (event !== undefined) events.push(event);
    // A long message that a terminal broke.
    else if (last !== undefined && text.trim() !== '' && !/^\s*(?:Type|----|FirstSeen)\s/.test(text))
      events[events.length - 1] = { ...last, message: `${last.message} ${text.trim()}` };
  }
  return events;
}

const has = (root: Field, ...keys: readonly string[]): boolean =>
  keys.every((key) => fieldOf(root, key) !== undefined);

/** A description does not say what it describes, but for custom resources: its fields do. */
function kindIn(root: Field, asked: string | undefined): string | undefined {
  const said = textOf(root, 'Kind');
  if (said !== undefined && /^[A-Z]\w+$/.test(said)) return said;
  if (has(root, 'Containers') && (has(root, 'Node') || has(root, 'IP') || has(root, 'Status'))) return 'Pod';
  if (has(root, 'StrategyType')) return 'Deployment';
  if (has(root, 'Desired Number of Nodes Scheduled')) return 'DaemonSet';
  if (has(root, 'Schedule', 'Concurrency Policy')) return 'CronJob';
  if (has(root, 'Parallelism')) return 'Job';
  const replicas = textOf(root, 'Replicas') ?? '';
  if (/current \/ \d+ desired/.test(replicas)) return 'ReplicaSet';
  if (/desired \| \d+ total/.test(replicas)) return 'StatefulSet';
  if (has(root, 'Roles', 'Taints') || has(root, 'Allocatable', 'System Info')) return 'Node';
  if (has(root, 'Used By') || has(root, 'StorageClass', 'Access Modes', 'Volume'))
    return 'PersistentVolumeClaim';
  if (has(root, 'Type', 'Endpoints') || has(root, 'Selector', 'Session Affinity')) return 'Service';
  if (
    has(root, 'Rules') &&
    (has(root, 'Default backend') || has(root, 'Ingress Class') || has(root, 'Address'))
  )
    return 'Ingress';
  if (has(root, 'Reference', 'Min replicas')) return 'HorizontalPodAutoscaler';
  if (root.rows.some(({ text }) => /^Resource\s+Used\s+Hard/.test(text)) && has(root, 'Namespace'))
    return 'ResourceQuota';
  if (root.rows.some(({ text }) => /^No resource quota|^Resource Quotas$/.test(text))) return 'Namespace';
  return asked === 'Secret' || asked === 'ConfigMap' ? undefined : asked;
}

type Body = (root: Field) => RawObject;

const template = (root: Field): RawObject => {
  const own = fieldOf(root, 'Pod Template');
  return {
    metadata: { labels: pairsOf(own, 'Labels') },
    spec: {
      containers: containersOf(fieldOf(own, 'Containers')).map(({ spec }) => spec),
      initContainers: containersOf(fieldOf(own, 'Init Containers')).map(({ spec }) => spec),
    },
  };
};

const count = (text: string | undefined, word: string): number | undefined => {
  const found = new RegExp(`(\\d+) ${word}`).exec(text ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

const selector = (root: Field): RawObject => ({ matchLabels: pairsOf(root, 'Selector') });

const bodies: Readonly<Record<string, Body>> = {
  Pod: describedPod,
  Deployment: (root) => {
    const text = textOf(root, 'Replicas');
    const available = count(text, 'available') ?? 0;
    return {
      spec: { replicas: count(text, 'desired') ?? 1, selector: selector(root), template: template(root) },
      status: {
        replicas: count(text, 'total') ?? 0,
        updatedReplicas: count(text, 'updated') ?? 0,
        availableReplicas: available,
        readyReplicas: available,
        conditions: conditionsOf(root),
      },
    };
  },
  ReplicaSet: (root) => {
    const [, current = 0, desired = 1] =
      /(\d+) current \/ (\d+) desired/.exec(textOf(root, 'Replicas') ?? '') ?? [];
    return {
      spec: { replicas: Number(desired), selector: selector(root), template: template(root) },
      status: { replicas: Number(current), conditions: conditionsOf(root), readyReplicas: runningIn(root) },
    };
  },
  StatefulSet: (root) => ({
    spec: {
      replicas: count(textOf(root, 'Replicas'), 'desired') ?? 1,
      selector: selector(root),
      template: template(root),
    },
    status: { replicas: count(textOf(root, 'Replicas'), 'total') ?? 0, readyReplicas: runningIn(root) },
  }),
  DaemonSet: (root) => {
    const available = numberOf(root, 'Number of Nodes Scheduled with Available Pods') ?? 0;
    return {
      spec: { selector: selector(root), template: template(root) },
      status: {
        desiredNumberScheduled: numberOf(root, 'Desired Number of Nodes Scheduled') ?? 0,
        currentNumberScheduled: numberOf(root, 'Current Number of Nodes Scheduled') ?? 0,
        updatedNumberScheduled: numberOf(root, 'Number of Nodes Scheduled with Up-to-date Pods') ?? 0,
        numberAvailable: available,
        numberReady: available,
      },
    };
  },
  Job: (root) => {
    const pods = textOf(root, 'Pods Statuses');
    const failed = count(pods, 'Failed') ?? 0;
    const succeeded = count(pods, 'Succeeded') ?? 0;
    const wanted = numberOf(root, 'Completions') ?? 1;
    const limit = root.rows.find(({ text }) => /BackoffLimitExceeded|DeadlineExceeded/.test(text));
    return {
      spec: {
        completions: wanted,
        parallelism: numberOf(root, 'Parallelism') ?? 1,
        template: template(root),
      },
      status: {
        active: count(pods, 'Active') ?? count(pods, 'Running') ?? 0,
        failed,
        succeeded,
        startTime: timeOfText(textOf(root, 'Start Time')),
        conditions:
          limit !== undefined
            ? [{ type: 'Failed', status: 'True', reason: limit.text.trim(), message: limit.text.trim() }]
            : succeeded >= wanted
              ? [{ type: 'Complete', status: 'True' }]
              : [],
      },
    };
  },
  CronJob: (root) => ({
    spec: {
      schedule: textOf(root, 'Schedule') ?? '',
      suspend: textOf(root, 'Suspend') === 'True',
      jobTemplate: { spec: { template: template(root) } },
    },
    status: { lastScheduleTime: timeOfText(textOf(root, 'Last Schedule Time')) },
  }),
  Service: (root) => ({
    spec: {
      type: textOf(root, 'Type') ?? 'ClusterIP',
      selector: pairsOf(root, 'Selector'),
      clusterIP: textOf(root, 'IP'),
      ports: portsOf(root),
    },
  }),
  Node: (root) => ({
    spec: {
      unschedulable: textOf(root, 'Unschedulable') === 'true',
      taints: taintsOf(root),
    },
    status: {
      conditions: conditionsOf(root),
      capacity: mapOf(fieldOf(root, 'Capacity')),
      allocatable: mapOf(fieldOf(root, 'Allocatable')),
      nodeInfo: { kubeletVersion: textOf(fieldOf(root, 'System Info'), 'Kubelet Version') },
    },
  }),
  PersistentVolumeClaim: (root) => ({
    spec: { storageClassName: textOf(root, 'StorageClass'), volumeName: textOf(root, 'Volume') },
    status: { phase: /^\w+/.exec(textOf(root, 'Status') ?? '')?.[0], conditions: [] },
  }),
  Ingress: (root) => ({
    spec: {
      ingressClassName: textOf(root, 'Ingress Class'),
      tls: [],
      rules: rulesOf(root),
    },
    status: { loadBalancer: { ingress: addressesOf(textOf(root, 'Address')) } },
  }),
  HorizontalPodAutoscaler: (root) => ({
    spec: {
      minReplicas: numberOf(root, 'Min replicas'),
      maxReplicas: numberOf(root, 'Max replicas') ?? 1,
      scaleTargetRef: referenceOf(textOf(root, 'Reference')),
    },
    status: { conditions: conditionsOf(root) },
  }),
  Namespace: (root) => ({ status: { phase: textOf(root, 'Status'), conditions: conditionsOf(root) } }),
  ResourceQuota: (root) => {
    const rows = root.rows.map(({ text }) => text.trim().split(/\s+/));
    const from = rows.findIndex(([a, b, c]) => a === 'Resource' && b === 'Used' && c === 'Hard');
    const own = rows.slice(from + 1).filter(([name]) => name !== undefined && !/^-+$/.test(name));
    return {
      status: {
        used: Object.fromEntries(own.map(([name = '', used = '']) => [name, used])),
        hard: Object.fromEntries(own.map(([name = '', , hard = '']) => [name, hard])),
      },
    };
  },
};

/** Pods that run, which is all that the description of a set says of being ready. */
const runningIn = (root: Field): number => count(textOf(root, 'Pods Status'), 'Running') ?? 0;

function mapOf(field: Field | undefined): Record<string, string> {
  return Object.fromEntries((field?.fields ?? []).map(({ key, value }) => [key, value]));
}

function taintsOf(root: Field): RawObject[] {
  const own = fieldOf(root, 'Taints');
  const texts = [own?.value ?? '', ...(own?.fields.map(({ key, value }) => `${key}:${value}`) ?? [])].join(
    '\n',
  );
  return [...texts.matchAll(/([\w./-]+)(?:=([\w.-]*))?:(NoSchedule|NoExecute|PreferNoSchedule)/g)].map(
    ([, key, value, effect]) => ({ key, effect, ...(value === undefined ? {} : { value }) }),
  );
}

/** `Port: http 80/TCP`, then `TargetPort: 8080/TCP`; one after the other for each port. */
function portsOf(root: Field): RawObject[] {
  const ports: RawObject[] = [];
  for (const { key, value } of root.fields) {
    const [, name, port, protocol] = /^(\S+)\s+(\d+)\/(\w+)/.exec(value) ?? [];
    if (key === 'Port' && port !== undefined)
      ports.push({ port: Number(port), protocol, ...(name === '<unset>' ? {} : { name }) });
    const target = /^([\w-]+)\//.exec(value)?.[1];
    const last = ports.at(-1);
    if (key === 'TargetPort' && target !== undefined && last !== undefined)
      ports[ports.length - 1] = { ...last, targetPort: /^\d+$/.test(target) ? Number(target) : target };
  }
  return ports;
}

function rulesOf(root: Field): RawObject[] {
  const rules = new Map<string, RawObject[]>();
  let host = '';
  for (const { text } of fieldOf(root, 'Rules')?.rows ?? []) {
    const row = text.trim();
    const backend = /^(\/\S*)?\s*([a-z0-9][\w-]*):([\w-]+)(?:\s+\((.*)\))?$/.exec(row);
    if (backend !== null) {
      const [, path = '/', name, port = ''] = backend;
      const own = rules.get(host) ?? [];
      rules.set(host, own);
      own.push({
        path,
        pathType: 'Prefix',
        backend: { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } },
      });
    } else if (/^(?:\*|[a-z0-9*][\w.*-]*)$/.test(row) && !/^-+$/.test(row)) host = row === '*' ? '' : row;
  }
  return [...rules].map(([name, paths]) => ({ ...(name === '' ? {} : { host: name }), http: { paths } }));
}

const addressesOf = (text: string | undefined): RawObject[] =>
  (text ?? '')
    .split(/[,\s]+/)
    .flatMap((each) => (each === '' ? [] : [/^[\d.:]+$/.test(each) ? { ip: each } : { hostname: each }]));

function referenceOf(text: string | undefined): RawObject {
  const [kind = '', name = ''] = (text ?? '').split('/');
  return { kind, name };
}

/** The endpoints that the description of a Service lists; undefined where it lists none at all. */
export function describedEndpoints(
  lines: readonly TextLine[],
  { metadata }: RawObject,
): RawObject | undefined {
  const root = readFields(lines.filter(({ text }) => !/^\s/.test(text)));
  const listed = root.fields.filter(({ key }) => key === 'Endpoints');
  if (listed.length === 0 || !isRecord(metadata)) return undefined;
  const addresses = listed.flatMap(({ value }) =>
    [...value.matchAll(/([\d.]+|\[[\da-f:]+\]):\d+/g)].map(([, ip]) => ({ ip })),
  );
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: metadata.name, namespace: metadata.namespace },
    subsets: addresses.length === 0 ? [] : [{ addresses }],
  };
}

/** Fields of a custom resource: their names are printed in words, and lists without marks between their items. */
function generic(root: Field): RawObject {
  const read = (of: Field): unknown => {
    if (of.fields.length === 0) return scalar(of.value);
    const items: Record<string, unknown>[] = [{}];
    for (const each of of.fields) {
      const key = keyIn(each.key);
      if (items.at(-1)?.[key] !== undefined) items.push({});
      const last = items.at(-1);
      if (last !== undefined) last[key] = read(each);
    }
    return items.length > 1 || of.key === 'Conditions' || of.key === 'Listeners' ? items : items[0];
  };
  const body = read({
    ...root,
    fields: root.fields.filter(({ key }) => /^(?:Metadata|Spec|Status)$/.test(key)),
  });
  const table = tableOf(fieldOf(root, 'Conditions'));
  return isRecord(body) ? body : table.length > 0 ? { status: { conditions: conditionsOf(root) } } : {};
}

const keyIn = (key: string): string =>
  key
    .split(' ')
    .map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() + word.slice(1) : word))
    .join('');

function scalar(value: string): unknown {
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  // Status of a condition is a text; everything else that says so is a flag.
  return value === 'true' ? true : value === 'false' ? false : value;
}
