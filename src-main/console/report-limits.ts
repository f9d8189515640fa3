import type { Caller } from '#shared/api/handler.ts';
import type { Access } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';

/** Reports a sender may make at once, and how many more each second: a retrying fleet passes, a loop does not. */
const burst = 600;
const perSecond = 20;

/** Bounds how often each sender of reports may come (a token bucket). */
export type ReportLimits = {
  /** Counts a call of who is admitted, when it is a report of a machine or an App. Throws `TooManyRequests` with `Retry-After` (RFC 6585 section 4) above the bound. */
  take(access: Access, admitted: Caller): void;
};

/** `now` in epoch ms. Senders are few: one for each machine token and installed App. */
export function createReportLimits(now: () => number): ReportLimits {
  const senders = new Map<string, { left: number; at: number }>();
  return {
    take(access, { agent }) {
      const sender = access.kind === 'machine' ? access.token : agent && `${agent.app}/${agent.installation}`;
      if (sender === undefined) return;
      const at = now();
      const bucket = senders.get(sender) ?? { left: burst, at };
      // A clock that was set back adds nothing and takes nothing away.
      const gained = Math.max(0, at - bucket.at) * (perSecond / 1000);
      bucket.left = Math.min(burst, bucket.left + gained);
      bucket.at = at;
      senders.set(sender, bucket);
      if (bucket.left < 1)
        throw new ConsoleError('TooManyRequests', 'Too many reports with this token: send several in one.', {
          'retry-after': '1',
        });
      bucket.left -= 1;
    },
  };
}
