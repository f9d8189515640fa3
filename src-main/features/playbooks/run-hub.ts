import { setImmediate as otherWork } from 'node:timers/promises';
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
  /** Why it could not be read last, where it could not. */
  failure: unknown;
  reading: Promise<Seen<Shown>> | undefined;
  /** Set when a change was announced while it was being read. */
  stale: boolean;
  readonly waiting: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
};

/** Longest delay until a watcher sees a change that no notice told of, in ms. */
const lookEvery = 1_000;
/** Watchers that are woken before other work of the console gets its turn: each writes a message of its own. */
const wokenAtOnce = 20;

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
        if (isNew) void wake(run);
        return seen;
      })
      .finally(() => {
        run.reading = undefined;
        if (run.stale) look(id, run);
      });
    run.reading = reading;
    return reading;
  };

  /** Reads a run for those who watch it; each of them is told of a failure. */
  const look = (id: string, run: Watched<Shown>): void => {
    refresh(id, run).catch((error: unknown) => {
      run.failure = error;
      void wake(run);
    });
  };

  const wake = async (run: Watched<Shown>): Promise<void> => {
    const waiting = [...run.waiting];
    run.waiting.clear();
    for (const [index, ring] of waiting.entries()) {
      if (index > 0 && index % wokenAtOnce === 0) await otherWork();
      ring();
    }
  };

  const unsubscribe = notices.subscribe('playbooks', (id) => {
    for (const [key, run] of id === undefined || id === '' ? runs : ([[id, runs.get(id)]] as const))
      if (run !== undefined) look(key, run);
  });

  const enter = (id: string): Watched<Shown> => {
    const run: Watched<Shown> = runs.get(id) ?? {
      watchers: 0,
      seen: undefined,
      failure: undefined,
      reading: undefined,
      stale: false,
      waiting: new Set(),
      timer: undefined,
    };
    runs.set(id, run);
    run.watchers += 1;
    run.timer ??= setInterval(() => look(id, run), lookEvery).unref();
    return run;
  };

  const leave = (id: string, run: Watched<Shown>): void => {
    run.watchers -= 1;
    if (run.watchers > 0) return;
    clearInterval(run.timer);
    if (runs.get(id) === run) runs.delete(id);
  };

  return {
    async *watch(id, signal) {
      const run = enter(id);
      try {
        let given = run.seen ?? (await refresh(id, run));
        yield given.shown;
        while (!signal.aborted && !given.ended) {
          if (run.failure !== undefined) throw run.failure;
          const { seen } = run;
          if (seen !== undefined && seen.version !== given.version) {
            given = seen;
            yield given.shown;
          } else await rung(run.waiting, signal);
        }
      } finally {
        leave(id, run);
      }
    },
    close: unsubscribe,
  };
}

/** Waits until rung or aborted. */
function rung(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ring = (): void => {
      signal.removeEventListener('abort', ring);
      waiting.delete(ring);
      resolve();
    };
    waiting.add(ring);
    signal.addEventListener('abort', ring);
    if (signal.aborted) ring();
  });
}
