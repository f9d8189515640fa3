import type { World } from './world.ts';

type LogRequest = Parameters<World['logs']>[0];

/** Logs of a world in memory, which can grow while they are followed. */
export type MemoryLogs = {
  /** Adds lines to a container's log, now; `previous` is the run before the last restart. */
  append(container: string, text: string): void;
  read(request: LogRequest): Promise<AsyncIterable<Uint8Array>>;
};

/** A line and when it was written, in epoch ms. */
type Line = { readonly at: number; readonly text: string };

/**
 * Logs by `namespace/pod/container`, or `namespace/pod/container/previous`. A line that begins with an RFC 3339 time was
 * written then, as a container runtime keeps it; another one when it was added. A container without an entry wrote nothing.
 */
export function createMemoryLogs(initial: Readonly<Record<string, string>>, now: () => number): MemoryLogs {
  const logs = new Map<string, Line[]>();
  const followers = new Map<string, Set<() => void>>();
  const append = (container: string, text: string): void => {
    const lines = logs.get(container) ?? [];
    logs.set(container, lines);
    for (const line of text.split(/(?<=\n)/)) if (line !== '') lines.push(timedLine(line, now()));
    for (const wake of followers.get(container) ?? []) wake();
  };
  for (const [container, text] of Object.entries(initial)) append(container, text);
  return {
    append,
    async read(request) {
      const key = `${request.namespace}/${request.pod}/${request.container}${request.previous ? '/previous' : ''}`;
      return follow(key, request);
    },
  };

  async function* follow(key: string, { follow, signal, timestamps = false }: LogRequest) {
    let sent = 0;
    // Where nothing is written so far, whoever follows is told that, too.
    if (follow && (logs.get(key)?.length ?? 0) === 0) yield Buffer.alloc(0);
    do {
      const lines = (logs.get(key) ?? []).slice(sent);
      sent += lines.length;
      if (lines.length > 0) yield Buffer.from(lines.map((line) => written(line, timestamps)).join(''));
      if (follow) await changeOf(key, sent, signal);
    } while (follow && !signal.aborted);
  }

  function changeOf(key: string, sent: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || (logs.get(key)?.length ?? 0) > sent) {
        resolve();
        return;
      }
      const waiting = followers.get(key) ?? new Set();
      followers.set(key, waiting);
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

const runtimeTime = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z) /;

function timedLine(text: string, now: number): Line {
  const [prefix, time] = runtimeTime.exec(text) ?? [];
  return prefix === undefined || time === undefined
    ? { at: now, text }
    : { at: Date.parse(time), text: text.slice(prefix.length) };
}

function written({ at, text }: Line, timestamps: boolean): string {
  return timestamps ? `${new Date(at).toISOString().replace('Z', '000000Z')} ${text}` : text;
}
