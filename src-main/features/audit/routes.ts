import type { AuditProgress, AuditVerification } from '#shared/api/audit.ts';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId, RouteOf } from '#shared/api/index.ts';
import type { StreamEvent } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { AuditTrail } from './trail.ts';

type AuditRouteId = Extract<RouteId, `audit.${string}`>;

const defaultLimit = 50;
/** Time for which a verdict is reused for readers of older pages, in ms. */
const verdictHolds = 10_000;

/** The routes of the audit trail; `now` in epoch milliseconds. */
export function auditHandlers(trail: AuditTrail, now: () => number): Handlers<AuditRouteId> {
  return {
    'audit.list': async ({ query: { cursor, limit = defaultLimit, ...filter } }) => {
      const [{ items, unreadable }, verdict] = await Promise.all([
        trail.list(filter, { before: cursor, limit }),
        // Who reads on to older pages has just been told of the chain.
        trail.verdict(cursor === undefined ? undefined : now() - verdictHolds),
      ]);
      const last = items.at(-1);
      const { head_unread } = verdict;
      return {
        items,
        // A full page may be followed by an empty one: cheaper than counting.
        ...(items.length === limit && last !== undefined && last.seq > 1
          ? { next_cursor: String(last.seq) }
          : {}),
        verdict,
        source: 'store',
        complete: unreadable.length === 0 && head_unread === undefined,
        read_at: new Date(now()).toISOString(),
        unmeasured: [
          ...unreadable.map((seq) => `record ${seq}: its text was changed so that it cannot be read`),
          ...(head_unread === undefined
            ? []
            : [`the head of the chain kept outside the store: ${head_unread}`]),
        ],
      };
    },

    'audit.verify': (_input, call) =>
      call.accepts('text/event-stream')
        ? verifyEvents(trail, call.signal)
        : trail.verify({ signal: call.signal }),

    'audit.export': () => ({
      type: 'application/x-ndjson',
      fileName: 'audit.ndjson',
      pieces: trail.export(),
    }),

    'audit.record': async ({ params: { seq } }) => {
      const found = await trail.record(seq);
      if (found === undefined)
        throw new ConsoleError(
          'NotFound',
          `There is no audit record ${seq}: they are numbered from 1 to the newest, shown first on the Audit page.`,
        );
      const { record, previous, next } = found;
      return {
        ...record,
        ...(previous === undefined ? {} : { previous }),
        ...(next === undefined ? {} : { next }),
      };
    },
  };
}

/**
 * Walks the chain: `progress` while it walks, then `result`. A reader who is slower than the walk gets the newest
 * progress only; one who leaves ends the walk.
 */
async function* verifyEvents(
  trail: AuditTrail,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<RouteOf<'audit.verify'>['events']>> {
  const left = new AbortController();
  let progress: AuditProgress | undefined;
  let wake = (): void => undefined;
  let result: AuditVerification | undefined;
  const walk = trail
    .verify({
      signal: AbortSignal.any([signal, left.signal]),
      onProgress(reported) {
        progress = reported;
        wake();
      },
    })
    .then((verification) => {
      result = verification;
    });
  // Awaited below, but perhaps only after it has failed.
  walk.catch(() => undefined);
  try {
    while (result === undefined) {
      const reported = new Promise<void>((resolve) => {
        wake = resolve;
      });
      // Told while the reader was busy, it is not waited for again.
      if (progress === undefined) await Promise.race([walk, reported]);
      const newest = progress;
      progress = undefined;
      if (newest !== undefined) yield { event: 'progress', data: newest };
    }
    yield { event: 'result', data: result };
  } finally {
    left.abort();
  }
}
