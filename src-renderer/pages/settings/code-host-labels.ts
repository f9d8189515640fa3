import type { CodeHostAttachment, CodeHostQuota } from '#shared/api/code-host.ts';
import type { StateName } from '../../core/state-name.ts';

/** Icon and label of how the console is attached. */
export function attachmentState({ configured, installation, waiting_until, quota }: CodeHostAttachment): {
  readonly state: StateName;
  readonly label: string;
} {
  if (!configured) return { state: 'idle', label: 'Not attached' };
  if (installation === undefined) return { state: 'failing', label: 'Attached, not responding correctly' };
  if (waiting_until !== undefined) return { state: 'degraded', label: 'Attached, rate limited' };
  if (quota !== undefined && quota.remaining <= quota.reserve)
    return { state: 'degraded', label: 'Attached, remaining quota reserved for agents' };
  return { state: 'healthy', label: 'Attached' };
}

/** Widths of the meter in percent: what is left to the console, what is the agents' reserve, and what is used. */
export function quotaShares({ limit, remaining, reserve }: CodeHostQuota): {
  readonly free: number;
  readonly reserved: number;
  readonly used: number;
} {
  const of = (count: number): number => (limit === 0 ? 0 : (Math.max(0, count) / limit) * 100);
  const reserved = Math.min(reserve, remaining);
  return { free: of(remaining - reserved), reserved: of(reserved), used: of(limit - remaining) };
}

const whole = new Intl.NumberFormat('en-GB');

/** Formats the remaining quota as one sentence. */
export function formatQuota({ limit, remaining, reserve }: CodeHostQuota): string {
  const left = `${whole.format(remaining)} of ${whole.format(limit)} requests left this hour`;
  const free = remaining - reserve;
  return free > 0
    ? `${left}: ${whole.format(free)} for this console, ${whole.format(reserve)} reserved for the agent fleet.`
    : `${left}, all reserved for the agent fleet: this console shows earlier data and reads nothing new.`;
}
