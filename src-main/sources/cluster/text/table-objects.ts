import type { RawObject } from '../../../cluster-model/index.ts';
import { ageIn, ago } from './ages.ts';
import type { TextLine } from './clean-lines.ts';
import type { Command } from './commands.ts';
import { eventIn, eventObject } from './events.ts';
import { kindNamed, kindOf } from './kinds.ts';
import { podOfCells } from './table-pods.ts';
import { type Row, readTable } from './tables.ts';

type Cells = Row['cells'];

/** Columns that only tables of one kind have. */
const kindsByColumns: readonly (readonly [kind: string, columns: readonly string[]])[] = [
  ['Pod', ['READY', 'STATUS', 'RESTARTS']],
  ['Deployment', ['READY', 'UP-TO-DATE', 'AVAILABLE']],
  ['DaemonSet', ['DESIRED', 'CURRENT', 'READY', 'UP-TO-DATE']],
  // Before Kubernetes 1.15.
  ['Deployment', ['DESIRED', 'CURRENT', 'UP-TO-DATE', 'AVAILABLE']],
  ['ReplicaSet', ['DESIRED', 'CURRENT', 'READY']],
  ['Node', ['STATUS', 'ROLES', 'VERSION']],
  ['PersistentVolumeClaim', ['STATUS', 'VOLUME', 'CAPACITY']],
  ['PersistentVolume', ['CAPACITY', 'RECLAIM POLICY']],
  ['Service', ['TYPE', 'CLUSTER-IP']],
  ['Endpoints', ['ENDPOINTS', 'AGE']],
  ['CronJob', ['SCHEDULE', 'SUSPEND']],
  ['Job', ['COMPLETIONS', 'DURATION']],
  ['HorizontalPodAutoscaler', ['REFERENCE', 'TARGETS']],
  ['Ingress', ['CLASS', 'HOSTS']],
  ['StatefulSet', ['READY', 'AGE']],
];

/** The objects of a table, and rows of it that were not understood. */
export type TableObjects = {
  readonly kind: string;
  readonly objects: readonly RawObject[];
  readonly unread: number;
};

/** Reads a table of `kubectl get`; undefined for one of a kind whose columns are not known. */
export function tableObjects(
  lines: readonly TextLine[],
  command: Command | undefined,
): TableObjects | undefined {
  const { columns, rows } = readTable(lines);
  if (columns.includes('REASON') && columns.includes('MESSAGE')) return eventRows(lines, columns, command);
  const asked = command?.verb === 'get' ? command.kind : undefined;
  const shown = kindsByColumns.find(([, needed]) => needed.every((name) => columns.includes(name)))?.[0];
  if (shown === undefined && !(asked === 'Namespace' || asked === 'ResourceQuota')) return undefined;
  const objects: RawObject[] = [];
  let unread = 0;
  for (const { cells } of rows) {
    const [, prefix, name = ''] = /^([a-z][\w.]*)\/(\S+)$/.exec(cells.NAME ?? '') ?? [
      undefined,
      undefined,
      cells.NAME,
    ];
    const kind = (prefix === undefined ? undefined : kindNamed(prefix)?.kind) ?? shown ?? asked ?? '';
    const body = /^[a-z0-9][\w.:-]*$/.test(name) ? rowsOf[kind]?.(cells, name) : undefined;
    if (body === undefined) {
      unread += 1;
      continue;
    }
    const { apiVersion, namespaced } = kindOf(kind);
    const age = ageIn(cells.AGE);
    const { metadata = {}, ...rest } = body;
    objects.push({
      apiVersion,
      kind,
      ...rest,
      metadata: {
        name,
        ...(namespaced ? { namespace: cells.NAMESPACE ?? command?.namespace } : {}),
        ...(cells.LABELS === undefined ? {} : { labels: labelsIn(cells.LABELS) }),
        ...(age === undefined ? {} : { creationTimestamp: ago(age) }),
        ...metadata,
      },
    });
  }
  return rows.length === 0 ? undefined : { kind: shown ?? asked ?? '', objects, unread };
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)]] : [];
    }),
  );

type Body = {
  readonly metadata?: RawObject;
  readonly spec?: RawObject;
  readonly status?: RawObject;
} & RawObject;

const number = (text: string | undefined): number => Number(/^\d+/.exec(text ?? '')?.[0] ?? 0);
const share = (text: string | undefined): readonly [number, number] => {
  const [a = '0', b = '0'] = (text ?? '').split('/');
  return [number(a), number(b)];
};
/** Time in which a controller brings a workload about before it is said to be stuck, in ms (progressDeadlineSeconds). */
const progressDeadline = 600_000;

/** A Deployment's row does not say whether it makes progress: one that is young is taken to. */
const progress = (age: string | undefined): RawObject[] =>
  (ageIn(age) ?? 0) < progressDeadline
    ? [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }]
    : [];

/** Alphabet of the hashes that controllers append to names (apimachinery, util/rand). */
const hash = '[bcdfghjklmnpqrstvwxz2456789]';
const ofDeployment = new RegExp(`^(.+)-(${hash}{6,10})-${hash}{5}$`);

const rowsOf: Readonly<Record<string, (cells: Cells, name: string) => Body | undefined>> = {
  Pod: (cells, name) => {
    if (!/^\d+\/\d+$/.test(cells.READY ?? '')) return undefined;
    const pod = podOfCells({
      ready: cells.READY ?? '',
      status: cells.STATUS ?? '',
      restarts: cells.RESTARTS ?? '',
      age: cells.AGE ?? '',
      node: cells.NODE,
    });
    const [, workload, template] = ofDeployment.exec(name) ?? [];
    const owners =
      workload === undefined
        ? {}
        : {
            labels: { ...labelsIn(cells.LABELS ?? ''), 'pod-template-hash': template },
            ownerReferences: [{ kind: 'ReplicaSet', name: `${workload}-${template}`, controller: true }],
          };
    return { ...pod, metadata: { ...pod.metadata, ...owners } };
  },
  Deployment: (cells) => {
    const [ready, desired] = cells.READY?.includes('/')
      ? share(cells.READY)
      : [number(cells.AVAILABLE), number(cells.DESIRED)];
    return {
      spec: { replicas: desired, template: {} },
      status: {
        replicas: desired,
        readyReplicas: ready,
        updatedReplicas: number(cells['UP-TO-DATE']),
        availableReplicas: number(cells.AVAILABLE),
        conditions: progress(cells.AGE),
      },
    };
  },
  StatefulSet: (cells) => {
    const [ready, desired] = share(cells.READY);
    if (!/^\d+\/\d+$/.test(cells.READY ?? '')) return undefined;
    const isYoung = (ageIn(cells.AGE) ?? 0) < progressDeadline;
    return {
      spec: { replicas: desired, template: {} },
      // A set that is still being brought about rolls out its revision.
      status: {
        replicas: desired,
        readyReplicas: ready,
        ...(isYoung && ready < desired
          ? { currentRevision: 'a', updateRevision: 'b', updatedReplicas: ready }
          : {}),
      },
    };
  },
  DaemonSet: (cells) => ({
    spec: { template: {} },
    status: {
      desiredNumberScheduled: number(cells.DESIRED),
      currentNumberScheduled: number(cells.CURRENT),
      numberReady: number(cells.READY),
      updatedNumberScheduled: number(cells['UP-TO-DATE']),
      numberAvailable: number(cells.AVAILABLE),
    },
  }),
  ReplicaSet: (cells, name) => {
    const [, workload] = new RegExp(`^(.+)-${hash}{6,10}$`).exec(name) ?? [];
    return {
      metadata:
        workload === undefined
          ? {}
          : { ownerReferences: [{ kind: 'Deployment', name: workload, controller: true }] },
      spec: { replicas: number(cells.DESIRED), template: {} },
      status: { replicas: number(cells.CURRENT), readyReplicas: number(cells.READY) },
    };
  },
  Node: (cells) => {
    const states = (cells.STATUS ?? '').split(',');
    return {
      spec: { unschedulable: states.includes('SchedulingDisabled') },
      status: {
        conditions: [
          {
            type: 'Ready',
            status: states.includes('Ready') ? 'True' : states.includes('NotReady') ? 'False' : 'Unknown',
          },
        ],
        nodeInfo: { kubeletVersion: cells.VERSION },
      },
    };
  },
  PersistentVolumeClaim: (cells) => ({
    spec: {
      storageClassName: cells.STORAGECLASS || undefined,
      volumeName: cells.VOLUME || undefined,
    },
    status: { phase: cells.STATUS },
  }),
  PersistentVolume: (cells) => ({ spec: {}, status: { phase: cells.STATUS } }),
  Service: (cells) => ({
    spec: {
      type: cells.TYPE,
      clusterIP: cells['CLUSTER-IP'],
      ports: [...(cells['PORT(S)'] ?? '').matchAll(/(\d+)(?::\d+)?\/(\w+)/g)].map(([, port, protocol]) => ({
        port: Number(port),
        protocol,
      })),
    },
  }),
  Endpoints: (cells) => {
    const addresses = [...(cells.ENDPOINTS ?? '').matchAll(/([\d.]+):\d+/g)].map(([, ip]) => ({ ip }));
    return { subsets: addresses.length === 0 ? [] : [{ addresses }] };
  },
  Ingress: (cells) => ({
    spec: {
      ingressClassName: cells.CLASS === '<none>' ? undefined : cells.CLASS,
      rules: [],
      tls: [],
    },
    status: {
      loadBalancer: {
        ingress: (cells.ADDRESS ?? '').split(',').flatMap((ip) => (/^[\d.]+$/.test(ip) ? [{ ip }] : [])),
      },
    },
  }),
  Job: (cells) => {
    const [done, wanted] = share(cells.COMPLETIONS);
    const state = cells.STATUS;
    return {
      spec: { completions: wanted, template: {} },
      status: {
        succeeded: done,
        conditions:
          state === 'Failed'
            ? [{ type: 'Failed', status: 'True' }]
            : done >= wanted && wanted > 0
              ? [{ type: 'Complete', status: 'True' }]
              : [],
      },
    };
  },
  Namespace: (cells) => ({
    status: { phase: cells.STATUS },
    // When it was deleted the row does not say.
  }),
  HorizontalPodAutoscaler: (cells) => ({
    spec: {
      maxReplicas: number(cells.MAXPODS),
      minReplicas: number(cells.MINPODS),
      scaleTargetRef: {
        kind: (cells.REFERENCE ?? '').split('/')[0],
        name: (cells.REFERENCE ?? '').split('/')[1] ?? '',
      },
    },
    status: { currentReplicas: number(cells.REPLICAS) },
  }),
};

/** Rows of events: by their words, since messages have any spacing; those without a kind are of old tables. */
function eventRows(
  lines: readonly TextLine[],
  columns: readonly string[],
  command: Command | undefined,
): TableObjects {
  const objects: RawObject[] = [];
  let unread = 0;
  const namespace = columns.includes('NAMESPACE') ? undefined : command?.namespace;
  for (const { text, number: at } of lines.slice(1)) {
    const event = eventIn(text, at, undefined, namespace);
    if (event?.about !== undefined) objects.push(eventObject(event, event.about));
    else unread += 1;
  }
  return { kind: 'Event', objects, unread };
}
