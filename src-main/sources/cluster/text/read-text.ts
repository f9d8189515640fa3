import { counted } from '#shared/text.ts';
import { isRecord, type RawObject } from '../../../cluster-model/index.ts';
import { newestTime, withTimes } from './ages.ts';
import type { TextLine } from './clean-lines.ts';
import type { Command } from './commands.ts';
import { describedEndpoints, describedObject } from './described-objects.ts';
import { documentObjects } from './documents.ts';
import { messageIn } from './event-messages.ts';
import { type About, eventIn, eventObject, type PrintedEvent } from './events.ts';
import { createSegmenter, type Segment } from './segments.ts';
import { tableObjects } from './table-objects.ts';
import { withoutTakenBack } from './taken-back.ts';

/** A message of an event whose object the text does not name. */
export type LooseEvent = { readonly reason: string; readonly message: string; readonly line: number };

/** Lines of a text that a command printed, from its first line on. */
export type LogOwner = {
  readonly from: number;
  readonly pod: string;
  readonly namespace: string | undefined;
  readonly container: string | undefined;
};

/** Everything that a text says of a cluster. */
export type TextFacts = {
  readonly objects: readonly RawObject[];
  /** Kinds that the text holds a whole list of. */
  readonly listed: ReadonlySet<string>;
  readonly events: readonly LooseEvent[];
  /** Logs that a command was typed for, in their order. */
  readonly logs: readonly LogOwner[];
  /** Lines in all, and those of no object. */
  readonly lines: number;
  readonly logLines: number;
  /** What was not understood, a sentence each. */
  readonly gaps: readonly string[];
  /** Epoch milliseconds of the newest time in its objects; undefined where there is none. */
  readonly newest: number | undefined;
};

/** Reads a text line by line. */
export type TextReader = {
  /** Takes the next line, without its end. */
  readonly feed: (line: string) => void;
  readonly end: () => TextFacts;
};

/** How much of an object its form tells: one that tells more takes the place of one that tells less. */
const ranks = { yaml: 3, json: 3, describe: 2, table: 1 } as const;

type Held = { readonly object: RawObject; readonly rank: number };

/** Objects of a text that are held, at most. */
const mostObjects = 50_000;
/** Changes from one log to another that are followed, at most. */
const mostLogs = 10_000;
/** Events whose object is not named, at most. */
const mostLoose = 2000;

/** Begins to read a text. `onLine` gets every line that is not of an object. */
export function createTextReader(onLine: (line: TextLine) => void): TextReader {
  const held = new Map<string, Held>();
  const events: RawObject[] = [];
  const loose: LooseEvent[] = [];
  /** Rows of events about an object that is not named, as far as they have an age. */
  const rows: PrintedEvent[] = [];
  const logs: LogOwner[] = [];
  const listed = new Set<string>();
  const single = new Set<string>();
  const gaps = new Set<string>();
  let lines = 0;
  let logLines = 0;
  let newest: number | undefined;
  let logCommand: Command | undefined;

  const hold = (object: RawObject, rank: number): void => {
    if (object.kind === 'Event') {
      if (events.length < mostObjects) events.push(object);
      return;
    }
    const key = keyOf(object);
    const known = held.get(key);
    if (
      known !== undefined &&
      known.rank >= rank &&
      !(known.rank === rank && isLater(object, known.object))
    ) {
      if (known.rank > rank) held.set(key, { rank: known.rank, object: completed(known.object, object) });
      return;
    }
    if (known === undefined && held.size >= mostObjects) {
      gaps.add(`Not read: more than ${mostObjects} objects are in the text.`);
      return;
    }
    held.set(key, { rank, object: known === undefined ? object : completed(object, known.object) });
  };

  const segment = ({ form, lines: own, command }: Segment): boolean => {
    if (form === 'table') {
      const table = tableObjects(own, command);
      if (table === undefined) return false;
      for (const object of table.objects) hold(object, ranks.table);
      if (table.unread > 0)
        gaps.add(`Not read: ${rowsOf(table.unread)} of a table of ${table.kind} objects.`);
      return true;
    }
    if (form === 'describe') {
      const described = describedObject(own, command);
      if (described === undefined) {
        gaps.add(`Not read: line ${own[0]?.number ?? 1} begins the description of an unknown kind.`);
        return false;
      }
      const { object, oldest } = described;
      single.add(String(object.kind));
      hold(object, ranks.describe);
      for (const event of described.events) hold(event, ranks.describe);
      const endpoints = object.kind === 'Service' ? describedEndpoints(own, object) : undefined;
      if (endpoints !== undefined) hold(endpoints, ranks.describe);
      const last = newestTime(object);
      const began = isRecord(object.metadata)
        ? Date.parse(String(object.metadata.creationTimestamp))
        : Number.NaN;
      // The first events of a pod are as old as it is.
      const printed = Math.max(last ?? 0, Number.isNaN(began) || oldest === undefined ? 0 : began + oldest);
      if (printed > (newest ?? 0)) newest = printed;
      return true;
    }
    const { objects, listed: whole, cut } = documentObjects(form, own.map(({ text }) => text).join('\n'));
    if (objects.length === 0) return false;
    for (const object of objects) {
      hold(object, ranks[form]);
      const time = newestTime(object);
      if (time !== undefined && time > (newest ?? 0)) newest = time;
      if (!whole.includes(String(object.kind))) single.add(String(object.kind));
    }
    for (const kind of whole) listed.add(kind);
    if (cut > 0)
      gaps.add(
        'Not read: an object that the text breaks off in, or that is not valid; what is whole of it was.',
      );
    return true;
  };

  const line = (own: TextLine, command: Command | undefined): void => {
    onLine(own);
    if (own.text === '') return;
    logLines += 1;
    const owner = ownerIn(own);
    const last = logs.at(-1);
    if (owner === 'end') logs.push({ ...nobody, from: own.number });
    else if (owner !== undefined && (owner.pod !== last?.pod || owner.container !== last.container)) {
      if (logs.length < mostLogs) logs.push(owner);
    }
    if (command !== logCommand) {
      logCommand = command;
      if (command?.verb === 'logs' && command.kind === 'Pod' && command.name !== undefined)
        logs.push({
          from: own.number,
          pod: command.name,
          namespace: command.namespace,
          container: command.container,
        });
    }
    const event = eventIn(own.text, own.number, undefined, command?.namespace);
    if (event !== undefined) {
      takeEvent(event);
      return;
    }
    const bare = messageIn(own.text);
    if (bare === undefined) return;
    const [namespace, name] = bare.pod?.split('/') ?? [];
    if (name !== undefined && events.length < mostObjects)
      events.push(eventObject(madeOf(bare, own.number), { kind: 'Pod', name, namespace }));
    else if (loose.length < mostLoose) loose.push({ ...bare, line: own.number });
  };

  const takeEvent = (event: PrintedEvent): void => {
    if (event.about !== undefined) hold(eventObject(event, event.about), ranks.table);
    else if (loose.length < mostLoose) {
      loose.push({ reason: event.reason, message: event.message, line: event.line });
      if (event.age !== undefined) rows.push(event);
    }
  };

  const segmenter = createSegmenter({
    onSegment: segment,
    onLine: line,
    onTooMuch: () => gaps.add('Not read: objects beyond the first 64 MB of them.'),
  });

  return {
    feed(raw) {
      lines += 1;
      segmenter.feed(raw);
    },
    end() {
      segmenter.end();
      const now = newest ?? Date.now();
      const shown = [...held.values()].map(({ object }) => object);
      const objects = withOwners(withNamespaces([...shown, ...events])).map((object): RawObject => {
        const timed = withTimes(object, now);
        return isRecord(timed) ? timed : object;
      });
      return {
        objects: [
          ...objects.filter(({ kind }) => kind !== 'Event'),
          ...withoutTakenBack(objects.filter(({ kind }) => kind === 'Event')),
        ],
        listed: new Set([...listed].filter((kind) => !single.has(kind))),
        events: withoutLines(loose, takenBackRows(rows, now)),
        logs,
        lines,
        logLines,
        gaps: [...gaps],
        newest,
      };
    },
  };
}

/** `==== START logs for container web of pod shop/web-1 ====` of `kubectl cluster-info dump`. */
const dumped = /^==== (START|END) logs for container (\S+) of pod ([^/\s]+)\/(\S+) ====$/;
/** `[pod/web-1/web] ` of `kubectl logs --prefix`. */
const prefixed = /^\[pod\/([^/\s]+)\/([^\]\s]+)\] /;

/** Whose log a line begins, as a dump or a prefix says; undefined for another line, `end` where one ends. */
function ownerIn({ text, number }: TextLine): LogOwner | 'end' | undefined {
  if (text.startsWith('==== ')) {
    const [, mark, container, namespace, pod] = dumped.exec(text) ?? [];
    if (pod === undefined) return undefined;
    return mark === 'END' ? 'end' : { from: number, pod, namespace, container };
  }
  if (!text.startsWith('[pod/')) return undefined;
  const [, pod, container] = prefixed.exec(text) ?? [];
  return pod === undefined ? undefined : { from: number, pod, namespace: undefined, container };
}

/** Returns the lines of rows that a later one takes back: rows without a gap between them are of one object. */
function takenBackRows(rows: readonly PrintedEvent[], now: number): ReadonlySet<number> {
  let begin = 0;
  const objects = rows.map((row, i): RawObject => {
    if (row.line !== (rows[i - 1]?.line ?? 0) + 1) begin = row.line;
    const name = `line ${begin}`;
    const timed = withTimes(eventObject(row, { kind: 'Unnamed', name, namespace: undefined }), now);
    return isRecord(timed) ? timed : {};
  });
  const left = new Set(withoutTakenBack(objects));
  return new Set(rows.flatMap(({ line }, i) => (left.has(objects[i] ?? {}) ? [] : [line])));
}

const withoutLines = (events: readonly LooseEvent[], lines: ReadonlySet<number>): readonly LooseEvent[] =>
  events.filter(({ line }) => !lines.has(line));

/** Marks the end of the logs that are known to be of a pod. */
const nobody = { pod: '', namespace: undefined, container: undefined };

const rowsOf = (count: number): string => counted(count, 'row');

const madeOf = (bare: { reason: string; message: string }, line: number): PrintedEvent => ({
  ...bare,
  type: 'Warning',
  age: undefined,
  firstAge: undefined,
  count: 1,
  about: undefined,
  container: undefined,
  line,
});

function aboutOf({ kind, metadata }: RawObject): About {
  const { name, namespace } = isRecord(metadata) ? metadata : {};
  return {
    kind: String(kind),
    name: String(name),
    namespace: typeof namespace === 'string' ? namespace : undefined,
  };
}

function keyOf(object: RawObject): string {
  const { kind, name, namespace } = aboutOf(object);
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** A text shows an object again after something was done: what it says last holds. */
function isLater(object: RawObject, known: RawObject): boolean {
  return (newestTime(object) ?? 0) >= (newestTime(known) ?? 0);
}

/** An object with the labels and owners that another form of it told. */
function completed(object: RawObject, other: RawObject): RawObject {
  const own = isRecord(object.metadata) ? object.metadata : {};
  const more = isRecord(other.metadata) ? other.metadata : {};
  return { ...object, metadata: { ...own, namespace: own.namespace ?? more.namespace } };
}

/** Where a text names one namespace only, what it prints without one is in that. */
function withNamespaces(objects: readonly RawObject[]): RawObject[] {
  const named = new Set(
    objects.flatMap(({ metadata }) =>
      isRecord(metadata) && typeof metadata.namespace === 'string' ? [metadata.namespace] : [],
    ),
  );
  const [only] = named;
  if (named.size !== 1 || only === undefined) return [...objects];
  return objects.map((object) => {
    const { metadata, involvedObject } = object;
    if (!isRecord(metadata) || isOfCluster(String(object.kind))) return object;
    return {
      ...object,
      metadata: { ...metadata, namespace: metadata.namespace ?? only },
      ...(isRecord(involvedObject)
        ? {
            involvedObject: {
              ...involvedObject,
              namespace:
                involvedObject.namespace ?? (isOfCluster(String(involvedObject.kind)) ? undefined : only),
            },
          }
        : {}),
    };
  });
}

/** Pods of a table by the names of workloads that the text shows: controllers name their pods after themselves. */
function withOwners(objects: readonly RawObject[]): RawObject[] {
  const known = new Set(objects.map(keyOf));
  return objects.map((object) => {
    const { metadata } = object;
    if (object.kind !== 'Pod' || !isRecord(metadata)) return object;
    if (Array.isArray(metadata.ownerReferences) && metadata.ownerReferences.length > 0) return object;
    const name = String(metadata.name);
    const [, deployment, template] = /^(.+)-([a-z0-9]{5,10})-[a-z0-9]{5}$/.exec(name) ?? [];
    const set = /^(.+)-\d{1,4}$/.exec(name)?.[1];
    const other = /^(.+)-[a-z0-9]{5}$/.exec(name)?.[1];
    const owner = (
      [
        ['Deployment', deployment],
        ['StatefulSet', set],
        ['DaemonSet', other],
        ['Job', other],
      ] as const
    ).find(
      ([kind, of]) =>
        of !== undefined && known.has(keyOf({ kind, metadata: { name: of, namespace: metadata.namespace } })),
    );
    if (owner === undefined) return object;
    const [kind, of] = owner;
    const labels = isRecord(metadata.labels) ? metadata.labels : {};
    return {
      ...object,
      metadata:
        kind === 'Deployment'
          ? {
              ...metadata,
              labels: { ...labels, 'pod-template-hash': template },
              ownerReferences: [{ kind: 'ReplicaSet', name: `${of}-${template}`, controller: true }],
            }
          : { ...metadata, ownerReferences: [{ kind, name: of, controller: true }] },
    };
  });
}

const isOfCluster = (kind: string): boolean =>
  kind === 'Node' || kind === 'Namespace' || kind === 'PersistentVolume' || kind === 'StorageClass';
