import { errorMessage } from '../../base/error-message.ts';
import { checkRepeatedly } from '../../base/repeated-check.ts';
import { catchUp } from './catch-up.ts';
import { type SyncParts, syncPending } from './sync.ts';

/** How often what failed is tried again, and what events were missed is asked, in ms. */
const syncEvery = 15_000;
const catchUpEvery = 300_000;

export type BillingBackground = {
  /** Fetches what is not up to date, now; several calls become one. */
  kick(): void;
  /** Asks for missed events, then fetches. Throws what the provider fails with. */
  catchUp(): Promise<void>;
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

/** Keeps the billing store up to date. `parts` is undefined while the payment provider is not set up. */
export function createBillingBackground(
  parts: () => SyncParts | undefined,
  log: SyncParts['log'],
): BillingBackground {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;

  const syncAll = async (): Promise<void> => {
    do {
      again = false;
      for (let found = 1; found > 0 && !closed; ) {
        const now = parts();
        found = now === undefined ? 0 : await syncPending(now);
      }
    } while (again && !closed);
  };

  const kick = (): void => {
    again = true;
    if (running !== undefined || closed) return;
    running = syncAll()
      .catch((error: unknown) => log.warn({ reason: errorMessage(error) }, 'payments were not synchronised'))
      .finally(() => {
        running = undefined;
        if (again && !closed) kick();
      });
  };

  let catching: Promise<void> | undefined;
  /** One at a time: a second one would only list the same events. */
  const catchUpNow = (): Promise<void> => {
    catching ??= (async () => {
      const now = parts();
      if (now === undefined || closed) return;
      await catchUp(now);
      kick();
    })().finally(() => {
      catching = undefined;
    });
    return catching;
  };

  const failed = (error: unknown): void =>
    log.warn({ reason: errorMessage(error) }, 'missed payment events were not read');
  const stops = [
    checkRepeatedly({
      everyMs: syncEvery,
      check: async () => {
        kick();
        await running;
      },
      failed,
    }),
    checkRepeatedly({ everyMs: catchUpEvery, check: catchUpNow, failed }),
  ];
  const settled = async (): Promise<void> => {
    while (running !== undefined || catching !== undefined) {
      await running;
      await catching?.catch(() => undefined);
    }
  };
  return {
    kick,
    catchUp: catchUpNow,
    settled,
    async close() {
      closed = true;
      for (const stop of stops) stop();
      await settled();
    },
  };
}
