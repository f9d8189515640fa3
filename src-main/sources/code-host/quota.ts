import type { Quota } from './types.ts';

type Headers = Readonly<Record<string, string | number | undefined>>;

/** The installation's remaining hourly requests, as last reported by the code host. */
export type QuotaMeter = {
  now(): Quota | undefined;
  /** Until when the code host asked not to be called, epoch ms; undefined when it did not. */
  waitingUntil(): number | undefined;
  /** Takes what an answer's headers tell. */
  learn(headers: Headers): void;
  set(quota: Quota): void;
  /** Not to be called for so many milliseconds. */
  waitFor(ms: number): void;
  /**
   * The reason no request may be sent now, or undefined when one more request leaves the reserve whole. Only
   * for a known quota.
   */
  whyNot(reserve: number): string | undefined;
  /** Counts a request as under way until the returned function is called. */
  begin(): () => void;
};

/** A meter for one installation. `clock` in epoch ms. */
export function createQuotaMeter(clock: () => number): QuotaMeter {
  let quota: Quota | undefined;
  let waiting = 0;
  let underWay = 0;

  const current = (): Quota | undefined => {
    // The hour is over: how much there is now, nobody has said yet.
    if (quota !== undefined && quota.reset <= clock()) quota = undefined;
    return quota;
  };
  const set = (next: Quota): void => {
    const known = current();
    // Answers overtake each other, and within its hour a quota only falls.
    quota =
      known !== undefined && known.reset === next.reset
        ? { ...next, remaining: Math.min(known.remaining, next.remaining) }
        : next;
  };

  return {
    now: current,
    waitingUntil: () => (waiting > clock() ? waiting : undefined),
    set,
    learn(headers) {
      const limit = whole(headers['x-ratelimit-limit']);
      const remaining = whole(headers['x-ratelimit-remaining']);
      const reset = whole(headers['x-ratelimit-reset']);
      const resource = headers['x-ratelimit-resource'] ?? 'core';
      if (limit === undefined || remaining === undefined || reset === undefined || resource !== 'core')
        return;
      set({ limit, remaining, reset: reset * 1000 });
    },
    waitFor(ms) {
      waiting = Math.max(waiting, clock() + ms);
    },
    whyNot(reserve) {
      if (waiting > clock()) return `the code host asked this console to wait until ${hourOf(waiting)}`;
      const known = current();
      // What is under way may still be counted; it must not add up to the reserve.
      if (known === undefined || known.remaining - underWay > reserve) return undefined;
      return `what is left of the quota (${known.remaining} of ${known.limit} until ${hourOf(known.reset)}) is kept for the agent fleet`;
    },
    begin() {
      underWay += 1;
      return () => {
        underWay -= 1;
      };
    },
  };
}

function whole(value: string | number | undefined): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}

function hourOf(time: number): string {
  return `${new Date(time).toISOString().slice(11, 16)} UTC`;
}
