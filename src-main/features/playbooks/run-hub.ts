import { setTimeout as sleep } from 'node:timers/promises';
import type { Notices } from '../../store/index.ts';

/**
 * Hands the newest state of each watched run to everybody who watches it: read once a change, however many watch, and kept
 * once. Who reads slowly holds up nobody and is given the newest state next.
 */
export type RunHub<Shown> = {
  /** Yields a run as it is, and again whenever it has changed, until it has ended or `signal` aborts. Throws as `read` does. */
  watch(id: string, signal: AbortSignal): AsyncGenerator<Shown>;
  close(): void;
};

/** A run as it was last read. */
export type Seen<Shown> = { readonly version: number; readonly ended: boolean; readonly shown: Shown };

type Watched<Shown> = {
  watchers: number;
  seen: Seen<Shown> | undefined;
  reading: Promise<Seen<Shown>> | undefined;
  /** Set when a change was announced while it was being read. */
  stale: boolean;
  readonly waiting: Set<() => void>;
};

/** Longest delay until a watcher sees a change that no notice told of, in ms. */
const lookEvery = 1_000;

export function createRunHub<Shown>(
  read: (id: string) => Promise<Seen<Shown>>,
  notices: Notices,
): RunHub<Shown> {
  const runs = new Map<string, Watched<Shown>>();

  const refresh = (id: string, run: Watched<Shown>): Promise<Seen<Shown>> => {
    if (run.reading !== undefined) {
      run.stale = true;
      return run.reading;
    }
    run.stale = false;
    const reading = read(id)
      .then((seen) => {
        const isNew = seen.version !== run.seen?.version;
        run.seen = seen;
        if (isNew) wake(run);
        return seen;
      })
      .finally(() => {
        run.reading = undefined;
        if (run.stale) void refresh(id, run).catch(() => wake(run));
      });
    run.reading = reading;
    return reading;
  };

  const wake = (run: Watched<Shown>): void => {
    const waiting = [...run.waiting];
    run.waiting.clear();
    for (const ring of waiting) ring();
  };

  const unsubscribe = notices.subscribe('playbooks', (id) => {
    const told = id === undefined ? [...runs] : [[id, runs.get(id)] as const];
    // A run that can no longer be read is found out by each watcher itself.
    for (const [key, run] of told) if (run !== undefined) void refresh(key, run).catch(() => wake(run));
  });

  return {
    async *watch(id, signal) {
      const run = runs.get(id) ?? {
        watchers: 0,
        seen: undefined,
        reading: undefined,
        stale: false,
        waiting: new Set<() => void>(),
      };
      runs.set(id, run);
      run.watchers += 1;
      try {
        let given = await refresh(id, run);
        yield given.shown;
        while (!signal.aborted && !given.ended) {
          const { seen } = run;
          if (seen !== undefined && seen.version !== given.version) {
            given = seen;
            yield given.shown;
            continue;
          }
          if (await isQuiet(run.waiting, signal)) await refresh(id, run);
        }
      } finally {
        run.watchers -= 1;
        if (run.watchers === 0) runs.delete(id);
      }
    },
    close: unsubscribe,
  };
}

/** Waits until rung or aborted; true when neither came for a while. */
async function isQuiet(waiting: Set<() => void>, signal: AbortSignal): Promise<boolean> {
  const done = new AbortController();
  const ring = (): void => done.abort();
  waiting.add(ring);
  try {
    await sleep(lookEvery, undefined, { ref: false, signal: AbortSignal.any([signal, done.signal]) });
    return true;
  } catch {
    return false;
  } finally {
    waiting.delete(ring);
  }
}
