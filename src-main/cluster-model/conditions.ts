import type { Condition } from '#shared/api/cluster.ts';
import { timeOf } from './text.ts';

type Read = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
};

/** Conditions as answers say them. Whatever is neither True nor False is Unknown (apimachinery, metav1.Condition). */
export function describeConditions(conditions: readonly Read[]): Condition[] {
  return conditions.map(({ type, status, reason, message, lastTransitionTime }) => ({
    type,
    status: status === 'True' || status === 'False' ? status : 'Unknown',
    reason: reason || undefined,
    message: message || undefined,
    since: timeOf(lastTransitionTime),
  }));
}
