import { errorMessage } from '../../../../base/error-message.ts';
import type { LogRead, LogRequest } from '../../types.ts';
import type { StoredFile } from '../archive/stored-file.ts';
import { type LogSection, logSections } from './log-sections.ts';
import { linesSince } from './log-since.ts';
import { type LogPart, logBytes } from './log-tail.ts';

type Rotated = {
  readonly restarts: number;
  readonly rotatedAt: string;
  readonly isGzip: boolean;
  readonly file: StoredFile;
};

type ContainerLogs = {
  current?: StoredFile;
  previous?: StoredFile;
  readonly rotated: Rotated[];
  failure?: string;
};

export type ContainerOf = { readonly namespace: string; readonly pod: string; readonly container: string };

/** The logs a bundle has, and where each lies. */
export type LogIndex = {
  add(of: ContainerOf, run: 'current' | 'previous', file: StoredFile): void;
  addRotated(of: ContainerOf, rotated: Rotated): void;
  /** One file with the logs of all containers of a pod. */
  addPod(of: { readonly namespace: string; readonly pod: string }, file: StoredFile): void;
  addFailure(of: ContainerOf, reason: string): void;
  count(): number;
  /** `restarts`: of the container, as its pod says, so that rotated parts go to the run they are of. */
  read(request: LogRequest, restarts: number | undefined): Promise<LogRead>;
};

/** The message kubectl writes in place of a log it could not read. */
const failurePattern = /^(?:Create log request error|Request log error): (.*)/s;
const longestFailure = 4096;

export function createLogIndex(): LogIndex {
  const containers = new Map<string, ContainerLogs>();
  const pods = new Map<string, { readonly file: StoredFile; sections?: Promise<readonly LogSection[]> }>();
  let count = 0;

  const logsOf = ({ namespace, pod, container }: ContainerOf): ContainerLogs => {
    const key = `${namespace}/${pod}/${container}`;
    const logs = containers.get(key) ?? { rotated: [] };
    containers.set(key, logs);
    return logs;
  };

  const partsOf = async (request: LogRequest, restarts: number | undefined): Promise<readonly LogPart[]> => {
    const { current, previous, rotated } = containers.get(keyOf(request)) ?? { rotated: [] };
    const ofRun = rotated
      .filter((part) => isOfRun(part, request.previous === true, restarts))
      .sort((a, b) => (a.rotatedAt < b.rotatedAt ? -1 : 1))
      .map(({ file, isGzip }) => ({ ...whole(file), isGzip }));
    const last = request.previous === true ? previous : current;
    const parts = last === undefined ? ofRun : [...ofRun, whole(last)];
    if (parts.length > 0 || request.previous === true) return parts;
    const inPod = pods.get(`${request.namespace}/${request.pod}`);
    if (inPod === undefined) return [];
    // Found once for all who ask: no one of them may end the search.
    inPod.sections ??= logSections(inPod.file, request);
    const section = (await inPod.sections).find(({ container }) => container === request.container);
    return section === undefined
      ? []
      : [{ file: inPod.file, from: section.from, to: section.to, isGzip: false }];
  };

  return {
    add(of, run, file) {
      const logs = logsOf(of);
      // An empty file stands for a log there was none of; of two, the one that has anything.
      if ((logs[run]?.length ?? 0) === 0) logs[run] = file;
      count += 1;
    },
    addRotated(of, rotated) {
      const logs = logsOf(of);
      const twin = logs.rotated.findIndex(
        ({ restarts, rotatedAt }) => restarts === rotated.restarts && rotatedAt === rotated.rotatedAt,
      );
      if (twin < 0) logs.rotated.push(rotated);
      // The same part packed and unpacked: the unpacked one is quicker to read.
      else if (!rotated.isGzip) logs.rotated[twin] = rotated;
      count += 1;
    },
    addPod({ namespace, pod }, file) {
      pods.set(`${namespace}/${pod}`, { file });
      count += 1;
    },
    addFailure(of, reason) {
      logsOf(of).failure = reason;
    },
    count: () => count,

    async read(request, restarts) {
      const failure = containers.get(keyOf(request))?.failure;
      try {
        const parts = await partsOf(request, restarts);
        const length = parts.reduce((sum, { from, to }) => sum + to - from, 0);
        if (parts.length === 0 && failure !== undefined) return { state: 'unread', reason: failure };
        if (request.previous === true && length === 0)
          return { state: 'missing', reason: noPrevious(request) };
        if (parts.length === 0) return { state: 'missing', reason: noLog(request) };
        const refused = length < longestFailure ? await failureIn(parts, request.signal) : undefined;
        if (refused !== undefined) return { state: 'unread', reason: refused };
        const { since, tail, signal } = request;
        return {
          state: 'read',
          bytes:
            since === undefined
              ? logBytes(parts, tail, signal)
              : linesSince(logBytes(parts, undefined, signal), since, tail),
        };
      } catch (error) {
        return {
          state: 'unread',
          reason: `The log of ${shown(request)} cannot be read from the bundle: ${errorMessage(error)}.`,
        };
      }
    },
  };
}

/** Parts of an earlier run belong before the previous log; without a pod that says, all go before the current one. */
function isOfRun({ restarts }: Rotated, previous: boolean, restartsNow: number | undefined): boolean {
  if (restartsNow === undefined) return !previous;
  return previous ? restarts === restartsNow - 1 : restarts >= restartsNow;
}

async function failureIn(parts: readonly LogPart[], signal: AbortSignal): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of logBytes(parts, undefined, signal)) pieces.push(piece);
  const reason = failurePattern.exec(Buffer.concat(pieces).toString('utf8'))?.[1];
  return reason === undefined ? undefined : `The log could not be collected: ${reason.trim()}`;
}

const whole = (file: StoredFile): LogPart => ({ file, from: 0, to: file.length, isGzip: false });
const keyOf = ({ namespace, pod, container }: ContainerOf): string => `${namespace}/${pod}/${container}`;
const shown = ({ namespace, pod, container }: ContainerOf): string =>
  `container ${container} of pod ${namespace}/${pod}`;
const noLog = (of: ContainerOf): string =>
  `The bundle holds no log of ${shown(of)}: there may have been one that was not collected.`;
const noPrevious = (of: ContainerOf): string =>
  `The bundle holds no previous log of ${shown(of)}: it did not restart, or its log was not collected.`;
