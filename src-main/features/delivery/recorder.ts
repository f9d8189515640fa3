import type { Kysely } from 'kysely';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { type RecentRuns, recentRuns } from '../runs/index.ts';
import { pruneOutcomes, recordOutcomes } from './record-outcomes.ts';
import type { DeliveryTables } from './store.ts';

/** In ms: a start is not held up by it, and a workflow run that ends is in the series soon after. */
const firstAfter = 30_000;
const every = 10 * 60_000;

export type RecorderParts = {
  readonly codeHost: CodeHost;
  readonly db: Kysely<DeliveryTables>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: { debug(fields: object, message: string): void };
};

export type Recorder = {
  /** Adds the runs of a reading to the series. False when they could not be written; never throws. */
  record(recent: RecentRuns): Promise<boolean>;
  /** Stops; resolves when the last write is done. */
  close(): Promise<void>;
};

/** Reads the newest runs now and then and adds how they ended to the series, whether or not anybody looks at it. */
export function startRecorder({ codeHost, db, now, log }: RecorderParts): Recorder {
  const writing = new Set<Promise<boolean>>();
  let closed = false;
  let timer = after(firstAfter);

  function after(ms: number): NodeJS.Timeout {
    return setTimeout(() => void tick(), ms).unref();
  }

  async function tick(): Promise<void> {
    const recent = await recentRuns(codeHost, now);
    await record(recent, true);
    if (!closed) timer = after(every);
  }

  function record(recent: RecentRuns, prune = false): Promise<boolean> {
    // The store may be closed already: a reading that comes in late is left out.
    if (closed) return Promise.resolve(false);
    const write = keep(recent, prune).finally(() => writing.delete(write));
    writing.add(write);
    return write;
  }

  async function keep(recent: RecentRuns, prune: boolean): Promise<boolean> {
    try {
      await recordOutcomes(db, recent, now());
      if (prune) await pruneOutcomes(db, now());
      return true;
    } catch (error) {
      log.debug({ err: error }, 'the outcomes of workflow runs were not recorded');
      return false;
    }
  }

  return {
    record: (recent) => record(recent),
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(writing);
    },
  };
}
