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
  /** The store that runs read from now on belong to. */
  readonly db: () => Kysely<DeliveryTables>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: { debug(fields: object, message: string): void };
};

export type Recorder = {
  /**
   * Adds the runs of a reading to the series of the store that was theirs when the reading began. False when they could
   * not be written; never throws.
   */
  record(recent: RecentRuns, into: Kysely<DeliveryTables>): Promise<boolean>;
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
    // The sandbox may start or stop while its code host or the real one is read.
    const into = db();
    const recent = await recentRuns(codeHost, now);
    await record(recent, into, true);
    if (!closed) timer = after(every);
  }

  function record(recent: RecentRuns, into: Kysely<DeliveryTables>, prune = false): Promise<boolean> {
    // The store may be closed already: a reading that comes in late is left out.
    if (closed) return Promise.resolve(false);
    const write = keep(recent, into, prune).finally(() => writing.delete(write));
    writing.add(write);
    return write;
  }

  async function keep(recent: RecentRuns, into: Kysely<DeliveryTables>, prune: boolean): Promise<boolean> {
    try {
      await recordOutcomes(into, recent, now());
      if (prune) await pruneOutcomes(into, now());
      return true;
    } catch (error) {
      log.debug({ err: error }, 'the outcomes of workflow runs were not recorded');
      return false;
    }
  }

  return {
    record: (recent, into) => record(recent, into),
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(writing);
    },
  };
}
