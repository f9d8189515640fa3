import type { Kysely } from 'kysely';
import type { PlaybookRunRow, PlaybookTables } from './store.ts';

/** Time for which a console holds a run before another one may take it, and how often it says that it still does; in ms. */
export type LeaseTimes = { readonly lease: number; readonly renew: number };
export const usualLeaseTimes: LeaseTimes = { lease: 15_000, renew: 4_000 };

/** Thrown where another console has taken the run: whoever sees it stops, and writes nothing more. */
export class LeaseLost extends Error {}

/** The fields of a run that only the holder of its lease writes. */
export type RunChange = Partial<Pick<PlaybookRunRow, 'progress' | 'state' | 'sentence' | 'ended_at'>>;

/** A run that this console works on. */
export type Lease = {
  readonly fence: number;
  /** Aborts when the lease is lost or the console closes. */
  readonly signal: AbortSignal;
  /** Returns the run as it is now. Throws `LeaseLost`. */
  read(): Promise<PlaybookRunRow>;
  /** Keeps a change, if the lease is still held. Throws `LeaseLost`. */
  save(change: RunChange): Promise<void>;
  /** Gives the run back until `wakeAt`, epoch ms; false when something came in after `seen` signals, and the lease stays. */
  release(wakeAt: number, seen: number): Promise<boolean>;
  /** Stops renewing. */
  end(): void;
};

export type LeaseParts = {
  readonly db: Kysely<PlaybookTables>;
  /** Names this console among those on the same database. */
  readonly owner: string;
  readonly times: LeaseTimes;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly closing: AbortSignal;
  readonly changed: (runId: string) => void;
};

const active = ['running', 'waiting'] as const;

/** Returns runs that are due and that nobody works on, the longest waiting first. */
export async function dueRuns(
  { db, now }: Pick<LeaseParts, 'db' | 'now'>,
  most: number,
): Promise<readonly { id: string; fence: number }[]> {
  return db
    .selectFrom('playbook_runs')
    .select(['id', 'fence'])
    .where('state', 'in', active)
    .where('wake_at', '<=', now())
    .where('lease_until', '<=', now())
    .orderBy('wake_at')
    .limit(most)
    .execute();
}

/** Takes a run: of several consoles that try exactly one gets it, with the next fencing token. */
export async function takeRun(
  parts: LeaseParts,
  { id, fence: before }: { readonly id: string; readonly fence: number },
): Promise<Lease | undefined> {
  const { db, owner, times, now } = parts;
  const fence = before + 1;
  const taken = await db
    .updateTable('playbook_runs')
    .set({ fence, lease_owner: owner, lease_until: now() + times.lease })
    .where('id', '=', id)
    .where('fence', '=', before)
    .where('lease_until', '<=', now())
    .where('state', 'in', active)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n ? holdLease(parts, id, fence) : undefined;
}

function holdLease({ db, times, now, closing, changed }: LeaseParts, id: string, fence: number): Lease {
  const lost = new AbortController();
  const mine = () => db.updateTable('playbook_runs').where('id', '=', id).where('fence', '=', fence);
  const lose = (): LeaseLost => {
    const error = new LeaseLost(`The run ${id} was taken over by another console.`);
    lost.abort(error);
    return error;
  };
  let renewing = false;
  const timer = setInterval(() => {
    if (renewing) return;
    renewing = true;
    mine()
      .set({ lease_until: now() + times.lease })
      .executeTakeFirst()
      .then(
        ({ numUpdatedRows }) => {
          if (numUpdatedRows === 0n) lose();
        },
        // The store does not answer: what is written next says so, or finds the lease lost.
        () => undefined,
      )
      .finally(() => {
        renewing = false;
      });
  }, times.renew);
  timer.unref();
  return {
    fence,
    signal: AbortSignal.any([lost.signal, closing]),
    async read() {
      const row = await db
        .selectFrom('playbook_runs')
        .selectAll()
        .where('id', '=', id)
        .where('fence', '=', fence)
        .executeTakeFirst();
      if (row === undefined) throw lose();
      return row;
    },
    async save(change) {
      const { numUpdatedRows } = await mine()
        .set((eb) => ({ ...change, version: eb('version', '+', 1), lease_until: now() + times.lease }))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw lose();
      changed(id);
    },
    async release(wakeAt, seen) {
      const { numUpdatedRows } = await mine()
        .set({ lease_owner: null, lease_until: 0, wake_at: wakeAt })
        .where('signals', '=', seen)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    end: () => clearInterval(timer),
  };
}
