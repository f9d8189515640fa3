import type { RawObject } from '../../src-main/cluster-model/index.ts';
import { isRecord } from '../../src-main/cluster-model/index.ts';

// Objects as kubectl prints them, by its printers (pkg/describe, pkg/printers): what people paste.

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const text = (value: unknown, none = '<none>'): string =>
  value === undefined || value === null || value === '' ? none : String(value);

export type PrintOptions = {
  /** Epoch ms: ages are counted from here. */
  readonly now: number;
};

/** `3m`, `5h`, `2d`. */
function printedAge(time: unknown, now: number): string {
  const ms = now - Date.parse(text(time, ''));
  if (Number.isNaN(ms)) return '<unknown>';
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

function printedTime(time: unknown): string {
  const date = new Date(text(time, ''));
  return Number.isNaN(date.getTime()) ? '<unknown>' : date.toUTCString().replace('GMT', '+0000');
}

/** Rows with their columns below each other, three spaces apart. */
export function aligned(rows: readonly (readonly string[])[], gap = 3): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd((widths[i] ?? 0) + gap)))
      .join('')
      .trimEnd(),
  );
}

/** A description of `kubectl describe`, with the events about the object; undefined for a kind without a printer here. */
export function describeText(
  object: RawObject,
  events: readonly RawObject[],
  { now }: PrintOptions,
): string | undefined {
  const metadata = fieldsOf(object.metadata);
  const body = describers[String(object.kind)];
  if (body === undefined) return undefined;
  const own = events.filter((event) => {
    const about = fieldsOf(event.involvedObject);
    return about.kind === object.kind && about.name === metadata.name;
  });
  const pairs = Object.entries(fieldsOf(metadata.labels)).map(([key, value]) => `${key}=${text(value, '')}`);
  const rows = own.map((event) => {
    const count = Number(event.count ?? 1);
    const last = printedAge(event.lastTimestamp, now);
    const first = printedAge(event.firstTimestamp ?? event.lastTimestamp, now);
    return [
      text(event.type, 'Normal'),
      text(event.reason),
      count > 1 ? `${last} (x${count} over ${first})` : last,
      text(fieldsOf(event.source).component, 'kubelet'),
      text(event.message, ''),
    ];
  });
  return [
    `Name:             ${text(metadata.name)}`,
    ...(metadata.namespace === undefined ? [] : [`Namespace:        ${text(metadata.namespace)}`]),
    ...body(object, pairs),
    ...(rows.length === 0
      ? ['Events:           <none>']
      : [
          'Events:',
          ...aligned(
            [
              ['Type', 'Reason', 'Age', 'From', 'Message'],
              ['----', '------', '----', '----', '-------'],
              ...rows,
            ],
            2,
          ).map((row) => `  ${row}`),
        ]),
  ].join('\n');
}

type Describer = (object: RawObject, labels: readonly string[]) => string[];

const labelled = (labels: readonly string[]): string[] => [
  `Labels:           ${labels[0] ?? '<none>'}`,
  ...labels.slice(1).map((label) => `                  ${label}`),
  'Annotations:      <none>',
];

function conditionRows(conditions: readonly Fields[], columns: readonly string[]): string[] {
  if (conditions.length === 0) return [];
  const cell = (condition: Fields, column: string): string => {
    const value = condition[column.charAt(0).toLowerCase() + column.slice(1)];
    return column.endsWith('Time') ? printedTime(value) : text(value, '');
  };
  return [
    'Conditions:',
    ...aligned(
      [
        [...columns],
        columns.map((column) => '-'.repeat(column.length)),
        ...conditions.map((condition) => columns.map((column) => cell(condition, column))),
      ],
      2,
    ).map((row) => `  ${row}`),
  ];
}

function stateRows(name: string, state: unknown): string[] {
  const { waiting, running, terminated } = fieldsOf(state);
  const padded = (key: string): string => `    ${`${key}:`.padEnd(16)}`;
  const inner = (key: string, value: unknown): string[] =>
    value === undefined ? [] : [`      ${`${key}:`.padEnd(14)}${String(value)}`];
  if (isRecord(waiting))
    return [
      `${padded(name)}Waiting`,
      ...inner('Reason', waiting.reason),
      ...inner('Message', waiting.message),
    ];
  if (isRecord(running))
    return [`${padded(name)}Running`, ...inner('Started', printedTime(running.startedAt))];
  if (isRecord(terminated))
    return [
      `${padded(name)}Terminated`,
      ...inner('Reason', terminated.reason),
      ...inner('Message', terminated.message),
      ...inner('Exit Code', terminated.exitCode ?? 0),
      ...inner('Started', printedTime(terminated.startedAt)),
      ...inner('Finished', printedTime(terminated.finishedAt)),
    ];
  return [];
}

function containerRows(specs: readonly Fields[], statuses: readonly Fields[]): string[] {
  return specs.flatMap((spec) => {
    const status = statuses.find(({ name }) => name === spec.name);
    const ports = listOf(spec.ports).map(
      ({ containerPort, protocol }) => `${text(containerPort)}/${text(protocol, 'TCP')}`,
    );
    return [
      `  ${text(spec.name)}:`,
      ...(status === undefined ? [] : [`    Container ID:   containerd://4f1c`]),
      `    Image:          ${text(spec.image)}`,
      `    Port:           ${ports.join(', ') || '<none>'}`,
      ...(status === undefined
        ? []
        : [
            ...stateRows('State', status.state),
            ...stateRows('Last State', status.lastState),
            `    Ready:          ${status.ready === true ? 'True' : 'False'}`,
            `    Restart Count:  ${text(status.restartCount, '0')}`,
          ]),
      '    Environment:    <none>',
      '    Mounts:         <none>',
    ];
  });
}

const templateRows = (template: unknown): string[] => {
  const { metadata, spec } = fieldsOf(template);
  const labels = Object.entries(fieldsOf(fieldsOf(metadata).labels)).map(
    ([key, value]) => `${key}=${text(value)}`,
  );
  return [
    'Pod Template:',
    `  Labels:  ${labels.join('\n           ') || '<none>'}`,
    '  Containers:',
    ...containerRows(listOf(fieldsOf(spec).containers), []).map((row) => ` ${row}`),
    '  Volumes:         <none>',
  ];
};

const describers: Readonly<Record<string, Describer>> = {
  Pod: (object, labels) => {
    const metadata = fieldsOf(object.metadata);
    const spec = fieldsOf(object.spec);
    const status = fieldsOf(object.status);
    const owner = listOf(metadata.ownerReferences)[0];
    const init = listOf(spec.initContainers);
    return [
      'Priority:         0',
      'Service Account:  default',
      `Node:             ${text(spec.nodeName)}${spec.nodeName === undefined ? '' : '/10.0.0.5'}`,
      ...(spec.nodeName === undefined
        ? []
        : [`Start Time:       ${printedTime(metadata.creationTimestamp)}`]),
      ...labelled(labels),
      `Status:           ${text(status.phase)}`,
      ...(status.reason === undefined ? [] : [`Reason:           ${text(status.reason)}`]),
      ...(status.message === undefined ? [] : [`Message:          ${text(status.message)}`]),
      'IP:               10.244.0.12',
      ...(owner === undefined ? [] : [`Controlled By:  ${text(owner.kind)}/${text(owner.name)}`]),
      ...(init.length === 0
        ? []
        : ['Init Containers:', ...containerRows(init, listOf(status.initContainerStatuses))]),
      'Containers:',
      ...containerRows(listOf(spec.containers), listOf(status.containerStatuses)),
      ...conditionRows(listOf(status.conditions), ['Type', 'Status']),
      'Volumes:',
      '  kube-api-access-x7k2p:',
      '    Type:                    Projected (a volume that contains injected data from multiple sources)',
      '    TokenExpirationSeconds:  3607',
      'QoS Class:        BestEffort',
      'Node-Selectors:   <none>',
      'Tolerations:      node.kubernetes.io/not-ready:NoExecute op=Exists for 300s',
      '                  node.kubernetes.io/unreachable:NoExecute op=Exists for 300s',
    ];
  },
  Deployment: (object, labels) => {
    const spec = fieldsOf(object.spec);
    const status = fieldsOf(object.status);
    const replicas = Number(spec.replicas ?? 1);
    const available = Number(status.availableReplicas ?? status.readyReplicas ?? 0);
    const selector = Object.entries(fieldsOf(fieldsOf(spec.selector).matchLabels));
    return [
      `CreationTimestamp:      ${printedTime(fieldsOf(object.metadata).creationTimestamp)}`,
      ...labelled(labels),
      `Selector:               ${selector.map(([key, value]) => `${key}=${text(value)}`).join(',') || '<none>'}`,
      `Replicas:               ${replicas} desired | ${text(status.updatedReplicas, '0')} updated | ${text(status.replicas, '0')} total | ${available} available | ${replicas - available} unavailable`,
      'StrategyType:           RollingUpdate',
      ...templateRows(spec.template),
      ...conditionRows(listOf(status.conditions), ['Type', 'Status', 'Reason']),
      'OldReplicaSets:  <none>',
    ];
  },
  Node: (object, labels) => {
    const spec = fieldsOf(object.spec);
    const status = fieldsOf(object.status);
    const taints = listOf(spec.taints).map(
      ({ key, value, effect }) =>
        `${text(key)}${value === undefined ? '' : `=${text(value)}`}:${text(effect)}`,
    );
    const pairs = (title: string, values: unknown): string[] => [
      `${title}:`,
      ...Object.entries(fieldsOf(values)).map(([key, value]) => `  ${`${key}:`.padEnd(20)}${text(value)}`),
    ];
    return [
      'Roles:              <none>',
      ...labelled(labels),
      `CreationTimestamp:  ${printedTime(fieldsOf(object.metadata).creationTimestamp)}`,
      `Taints:             ${taints.join('\n                    ') || '<none>'}`,
      `Unschedulable:      ${spec.unschedulable === true ? 'true' : 'false'}`,
      ...conditionRows(listOf(status.conditions), [
        'Type',
        'Status',
        'LastHeartbeatTime',
        'LastTransitionTime',
        'Reason',
        'Message',
      ]),
      ...pairs('Capacity', status.capacity),
      ...pairs('Allocatable', status.allocatable),
      'System Info:',
      `  Kubelet Version:            ${text(fieldsOf(status.nodeInfo).kubeletVersion)}`,
    ];
  },
  PersistentVolumeClaim: (object, labels) => {
    const spec = fieldsOf(object.spec);
    return [
      `StorageClass:  ${text(spec.storageClassName, '')}`,
      `Status:        ${text(fieldsOf(object.status).phase)}`,
      `Volume:        ${text(spec.volumeName, '')}`,
      ...labelled(labels),
      'Capacity:      ',
      'Access Modes:  ',
      'VolumeMode:    Filesystem',
      'Used By:       db-0',
    ];
  },
  Service: (object, labels) => {
    const spec = fieldsOf(object.spec);
    const selector = Object.entries(fieldsOf(spec.selector)).map(([key, value]) => `${key}=${text(value)}`);
    return [
      ...labelled(labels),
      `Selector:          ${selector.join(',') || '<none>'}`,
      `Type:              ${text(spec.type, 'ClusterIP')}`,
      'IP:                10.96.3.4',
      ...listOf(spec.ports).flatMap((port) => [
        `Port:              ${text(port.name, '<unset>')}  ${text(port.port)}/TCP`,
        `TargetPort:        ${text(port.targetPort ?? port.port)}/TCP`,
        `Endpoints:         ${text(fieldsOf(object).endpoints, '')}`,
      ]),
      'Session Affinity:  None',
    ];
  },
  ResourceQuota: (object) => {
    const { used, hard } = fieldsOf(object.status);
    return aligned([
      ['Resource', 'Used', 'Hard'],
      ['--------', '----', '----'],
      ...Object.entries(fieldsOf(hard)).map(([name, most]) => [name, text(fieldsOf(used)[name]), text(most)]),
    ]);
  },
};

/** Rows of `kubectl get events`. */
export function eventsText(events: readonly RawObject[], { now }: PrintOptions): string {
  return aligned([
    ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'],
    ...events.map((event) => {
      const about = fieldsOf(event.involvedObject);
      return [
        printedAge(event.lastTimestamp, now),
        text(event.type, 'Normal'),
        text(event.reason),
        `${text(about.kind).toLowerCase()}/${text(about.name)}`,
        text(event.message, ''),
      ];
    }),
  ]).join('\n');
}
