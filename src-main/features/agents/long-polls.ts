import { setTimeout } from 'node:timers/promises';
import type { Notices } from '../../store/index.ts';

/**
 * Long polls waiting for work: woken at once by a notice, of this console or another one, and within half a second where
 * notices of other consoles do not arrive.
 */
export type LongPolls = {
  /**
   * Takes a place for a person. Taken before the queue is looked at, so that nothing put in meanwhile is missed.
   * Undefined when too many wait for this person already.
   */
  enter(email: string): LongPoll | undefined;
};

export type LongPoll = {
  /** Resolves when there may be work, or after `ms`, or when `signal` aborts; the place is good for the next wait, too. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  leave(): void;
};

/**
 * Interval at which the store is polled for commands from other consoles, in ms; one poll serves all waiters,
 * and there is none while nobody waits.
 */
const pollInterval = 500;
/** The same while notices arrive, in ms: for claims that ended without a result, and for a notice that was lost. */
const toldInterval = 5_000;
/** Most polls of one person on one console. */
const mostPolls = 100;

type Waiter = { woken: boolean; ring: (() => void) | undefined };

/** `withWork` answers those of the given people whose queue has work. */
export function createLongPolls(
  withWork: (emails: readonly string[]) => Promise<readonly string[]>,
  notices: Notices,
): LongPolls {
  const waiters = new Map<string, Set<Waiter>>();
  let asking = false;

  const wake = (email: string): void => {
    for (const waiter of waiters.get(email) ?? []) {
      waiter.woken = true;
      waiter.ring?.();
    }
  };

  const request = async (): Promise<void> => {
    const emails = [...waiters.keys()];
    try {
      for (const email of await withWork(emails)) wake(email);
    } catch {
      // Each of them asks the store itself, and tells its caller what is wrong with it.
      for (const email of emails) wake(email);
    }
  };

  const keepAsking = async (): Promise<void> => {
    asking = true;
    let waited = 0;
    while (waiters.size > 0) {
      await setTimeout(pollInterval, undefined, { ref: false });
      waited += pollInterval;
      if (waiters.size === 0 || (notices.isShared() && waited < toldInterval)) continue;
      waited = 0;
      await request();
    }
    asking = false;
  };

  notices.subscribe('commands', (email) => {
    for (const each of email === undefined ? [...waiters.keys()] : [email]) wake(each);
  });

  return {
    enter(email) {
      const here = waiters.get(email) ?? new Set();
      if (here.size >= mostPolls) return undefined;
      const waiter: Waiter = { woken: false, ring: undefined };
      waiters.set(email, here.add(waiter));
      if (!asking) void keepAsking();
      return {
        async wait(ms, signal) {
          if (!waiter.woken) await silence(waiter, ms, signal);
          waiter.woken = false;
        },
        leave() {
          here.delete(waiter);
          if (here.size === 0) waiters.delete(email);
        },
      };
    },
  };
}

/** Lasts until the waiter is rung, `ms` have passed or `signal` aborts. */
function silence(waiter: Waiter, ms: number, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const rung = new Promise<void>((resolve) => {
    waiter.ring = resolve;
  });
  const over = setTimeout(ms, undefined, { signal: AbortSignal.any([timer.signal, signal]) }).catch(
    // Aborted: by the caller's going, or below because it was rung.
    () => undefined,
  );
  return Promise.race([rung, over]).finally(() => timer.abort());
}
