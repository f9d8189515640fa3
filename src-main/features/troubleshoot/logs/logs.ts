import type { ObjectRef } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import { errorMessage } from '../../../base/error-message.ts';
import { keyOf } from '../../../cluster-model/index.ts';
import { createLogScanner, type LineHit, type LogScanner } from '../../../log-scan/index.ts';
import type { Cluster, ScannedLog } from '../../../sources/cluster/index.ts';
import { errorHits, withoutPrecise } from '../errors/error-hits.ts';
import { endingHits } from '../errors/log-end.ts';
import { partOf } from '../evidence/backends.ts';
import type { Reading } from '../evidence/reading.ts';
import type { Hit } from '../match/index.ts';
import { ofNow } from './log-age.ts';
import { type ChosenLog, chooseLogs, unwellLogs } from './log-choice.ts';
import type { LogMemory } from './log-memory.ts';
import { hitsInText, type LogRules } from './log-rules.ts';
import { createTail, readTail } from './log-tail.ts';

export type LogsRead = {
  readonly hits: readonly Hit[];
  /** Logs, or files of a bundle, that were looked through. */
  readonly count: number;
  /** Logs that were not looked through, one sentence each. */
  readonly gaps: readonly string[];
  /** Workloads all of whose logs were looked through nonetheless, of those that were read one by one. */
  readonly whole?: readonly ObjectRef[];
};

export type LogsRequest = {
  readonly cluster: Cluster;
  readonly reading: Reading;
  readonly rules: LogRules;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number | undefined) => void;
  /** Memory of the logs of a live cluster. */
  readonly memory: LogMemory;
  /** Whether logs are read again whose containers have not changed. */
  readonly anew: boolean;
};

/** Looks through the logs: of a bundle all at once, of a live cluster those that are worth it, one by one. Never throws. */
export async function readLogs(request: LogsRequest): Promise<LogsRead> {
  const { cluster, reading, rules, signal, onProgress } = request;
  if (rules.literals.length === 0) return { hits: [], count: 0, gaps: [] };
  if (cluster.scanLogs === undefined) return readOneByOne(request);
  try {
    const scan = await cluster.scanLogs({ literals: rules.literals, signal, onProgress });
    const hits = scan.logs.flatMap((log) => hitsOfScanned(reading, rules, log));
    hits.push(...(await hitsOfEnds(request, scan.logs)));
    return {
      hits: ofNow(reading, withoutPrecise(hits)),
      count: scan.files,
      gaps: scan.gaps,
    };
  } catch (error) {
    return { hits: [], count: 0, gaps: [`The logs were not read: ${errorMessage(error)}`] };
  }
}

/** Logs of a bundle whose last lines are read. */
const mostEnds = 400;

/**
 * Returns what the ends of logs show: of the containers that are not well, and of those in whose log the scan met words of
 * an error.
 */
async function hitsOfEnds(
  { cluster, reading, rules, signal }: LogsRequest,
  logs: readonly ScannedLog[],
): Promise<Hit[]> {
  const errorLiterals = new Set(rules.errors.telling);
  const files = new Map<string, string>();
  const wanted = new Map<string, ChosenLog & { readonly ended: boolean }>();
  for (const log of unwellLogs(reading)) wanted.set(refOf(log), log);
  for (const { of, file, hits } of logs) {
    if (of === undefined || 'node' in of || of.run === 'rotated') continue;
    const log = { ...of, previous: of.run === 'previous', ended: false };
    files.set(refOf(log), file);
    const tells = hits.some(({ literal }) => errorLiterals.has(rules.literals[literal] ?? ''));
    if (tells && !wanted.has(refOf(log))) wanted.set(refOf(log), log);
  }
  const found: Hit[] = [];
  for (const [ref, log] of [...wanted].slice(0, mostEnds)) {
    if (signal.aborted) break;
    const tail = await readTail(cluster, log, signal);
    if (tail !== undefined)
      found.push(...hitsOfEnd(reading, rules, log, { ...tail, ref: files.get(ref) ?? ref }));
  }
  return found;
}

/** Returns the errors by class in the last lines of a log, and its last error where its container ended by itself. */
function hitsOfEnd(
  reading: Reading,
  { errors, all }: LogRules,
  log: ChosenLog & { readonly ended: boolean },
  { text, cut, ref }: { readonly text: string; readonly cut: boolean; readonly ref: string },
): Hit[] {
  const { origin, failing } = from(reading, log, ref);
  // Why a run ended that was followed by a good one is told by the symptoms that know its exact words.
  if (origin.past === true) return [];
  const state = failing ? 'failing' : 'ready';
  return [
    ...errorHits(errors, all, { text, kind: 'log', state, origin, lines: !cut, now: reading.now }),
    ...(log.ended ? endingHits(all, { text, origin, lines: !cut }) : []),
  ];
}

const isLog = /\.log(?:\.\d+)?(?:\.gz)?$/;

/**
 * Returns the matches in a scanned log. A file of a bundle that belongs to no container is only used when its
 * name says it is a log: others repeat what objects say.
 */
function hitsOfScanned(reading: Reading, rules: LogRules, log: ScannedLog): Hit[] {
  const { file, of, hits, counts } = log;
  const text = { hits, counts };
  if (of === undefined)
    return isLog.test(file)
      ? hitsInText(rules, text, {
          kind: 'log',
          part: undefined,
          failing: false,
          origin: { ref: file },
          lines: true,
        })
      : [];
  if ('node' in of) {
    const object = { kind: 'Node', name: of.node };
    const origin = { object, owner: object, ref: file, values: { node: of.node } };
    return hitsInText(rules, text, { kind: 'log', part: undefined, failing: false, origin, lines: true });
  }
  return hitsInText(rules, text, {
    ...from(reading, { ...of, previous: of.run !== 'current' }, file),
    lines: true,
  });
}

/**
 * Returns the matches in a log before any objects are read, when it is unknown whether its container is
 * healthy.
 */
export function hitsOfUnread(rules: LogRules, { file, of, hits, counts }: ScannedLog): Hit[] {
  if (of === undefined && !isLog.test(file)) return [];
  const object = of && ('node' in of ? { kind: 'Node', name: of.node } : podOf(of));
  return hitsInText(
    rules,
    { hits, counts },
    {
      kind: 'log',
      part: undefined,
      failing: false,
      origin: { ref: file, ...(object === undefined ? {} : { object, owner: object }) },
      lines: true,
    },
  );
}

const podOf = ({ namespace, pod }: { readonly namespace: string; readonly pod: string }) => ({
  kind: 'Pod',
  name: pod,
  namespace,
});

/** Logs that are read at a time. */
const atATime = 4;
/** Longest time one log may take, in ms. */
const limit = 20_000;
/** Longest total time of logs that are not answered, in ms: the cluster is unreachable then. */
const mostLost = 60_000;

async function readOneByOne(request: LogsRequest): Promise<LogsRead> {
  const { reading, rules, signal, onProgress, memory, anew } = request;
  const { logs, left, leftOf, tail } = chooseLogs(reading);
  const looked = new Map<string, ObjectRef>();
  const missed = new Set(leftOf);
  const scanner = createLogScanner(rules.literals);
  const exits = new Map(unwellLogs(reading).map((log) => [refOf(log), log.ended]));
  const hits: Hit[] = [];
  const unread = new Map<string, number>();
  let count = 0;
  let done = 0;
  let lost = 0;
  const waiting = [...logs];
  memory.keepOnly(logs);
  const work = async (): Promise<void> => {
    while (!signal.aborted && lost < mostLost) {
      const log = waiting.shift();
      if (log === undefined) return;
      const begun = performance.now();
      const { pod } = reading.podOf(podOf(log)) ?? {};
      const recalled = anew ? undefined : memory.recall(log, pod);
      const read =
        recalled === undefined ? await readLog(request, scanner, log, tail) : { state: 'recalled' as const };
      const owner = reading.ownerOf({ kind: 'Pod', name: log.pod, namespace: log.namespace });
      if ('reason' in read) missed.add(keyOf(owner));
      else looked.set(keyOf(owner), owner);
      if ('reason' in read) {
        unread.set(read.reason, (unread.get(read.reason) ?? 0) + 1);
        lost += performance.now() - begun;
      } else if (read.state === 'recalled') {
        count += 1;
        hits.push(...(recalled ?? []));
      } else if (read.state === 'read') {
        count += 1;
        const ended = exits.get(refOf(log)) === true;
        const own = [
          ...hitsInText(rules, read, { ...from(reading, log, refOf(log)), lines: !read.cut }),
          ...hitsOfEnd(reading, rules, { ...log, ended }, { ...read.tail, ref: refOf(log) }),
        ];
        memory.remember(log, pod, own);
        hits.push(...own);
      } else memory.remember(log, pod, []);
      done += 1;
      onProgress(done, logs.length);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return {
    hits: ofNow(reading, withoutPrecise(hits)),
    count,
    // Of what was not waited for any more nobody knows.
    whole: waiting.length > 0 ? [] : [...looked].flatMap(([key, owner]) => (missed.has(key) ? [] : [owner])),
    gaps: [
      ...[...unread].map(([reason, times]) => `${counted(times, 'log')} not read: ${reason}`),
      ...(left > 0
        ? [
            `${counted(left, 'log')} of containers that are well, or beyond the number that is read, not read.`,
          ]
        : []),
      ...(waiting.length > 0
        ? [`${counted(waiting.length, 'log')} not read: the reading was ended before.`]
        : []),
    ],
  };
}

type ReadLog =
  | {
      readonly state: 'read';
      readonly hits: readonly LineHit[];
      readonly counts: readonly number[];
      readonly cut: boolean;
      readonly tail: { readonly text: string; readonly cut: boolean };
    }
  /** The log does not exist. */
  | { readonly state: 'missing' }
  | { readonly state: 'unread'; readonly reason: string };

async function readLog(
  { cluster, signal }: LogsRequest,
  scanner: LogScanner,
  { namespace, pod, container, previous }: ChosenLog,
  tail: number,
): Promise<ReadLog> {
  const scan = scanner.begin();
  const hits: LineHit[] = [];
  const newest = createTail();
  let lines = 0;
  try {
    const read = await cluster.logs({
      namespace,
      pod,
      container,
      previous,
      tail,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
    });
    if (read.state === 'missing') return { state: 'missing' };
    if (read.state === 'unread') return { state: 'unread', reason: read.reason };
    for await (const bytes of read.bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = buffer.indexOf(0x0a); at >= 0; at = buffer.indexOf(0x0a, at + 1)) lines += 1;
      newest.add(buffer);
      hits.push(...scan.feed(buffer));
    }
    hits.push(...scan.end());
    // Of the newest lines only a number is that of no line of the log.
    const end = newest.end();
    const cut = lines >= tail;
    return { state: 'read', hits, counts: scan.counts, cut, tail: { ...end, cut: end.cut || cut } };
  } catch (error) {
    return { state: 'unread', reason: errorMessage(error) };
  }
}

const refOf = ({ namespace, pod, container, previous }: ChosenLog): string =>
  `${namespace}/${pod}/${container}${previous ? ' (previous)' : ''}`;

/**
 * Returns the origin of a log's lines, and whether they are of a previous run while the container is healthy
 * again.
 */
function from(reading: Reading, { namespace, pod, container, previous }: ChosenLog, ref: string) {
  const object = podOf({ namespace, pod });
  const judged = reading.podOf(object);
  const status =
    judged &&
    [...judged.pod.status.containerStatuses, ...judged.pod.status.initContainerStatuses].find(
      ({ name }) => name === container,
    );
  const owner = reading.ownerOf(object);
  const image =
    judged &&
    [...judged.pod.spec.containers, ...judged.pod.spec.initContainers].find(({ name }) => name === container)
      ?.image;
  const node = judged?.pod.spec.nodeName;
  return {
    kind: 'log' as const,
    part: partOf(reading.backendOf, owner, image),
    failing:
      previous || status === undefined || (status.ready !== true && status.state?.terminated?.exitCode !== 0),
    origin: {
      object,
      owner,
      container,
      ref,
      ...(previous && status?.ready === true ? { past: true } : {}),
      values: { ...(node === undefined ? {} : { node }), ...(image === undefined ? {} : { image }) },
    },
  };
}
