import { certificateSoonDays, type HealthState } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import { agesSince } from '../text.ts';

const day = 86_400_000;
/** Most certificates are renewed by themselves, with this share of their life left at the latest. */
const lastShare = 0.2;

/** A certificate's validity at a time. */
export type Validity = {
  readonly is: 'expired' | 'expires_soon' | 'not_yet_valid' | 'valid';
  /** One clause; absent for a valid one. */
  readonly reason?: string;
};

/**
 * Judges a certificate's dates, in epoch ms. A mesh CA, which nobody renews but a person, needs one for its last 30 days;
 * any other for the last fifth of its life, or the last 30 days where those are fewer.
 */
export function validityOf(
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
  renewed: 'by_hand' | 'by_itself',
): Validity {
  const left = to - now;
  if (left <= 0) return { is: 'expired', reason: `expired ${agesSince(-left)} ago` };
  if (from > now)
    return { is: 'not_yet_valid', reason: `is not valid before ${agesSince(from - now)} from now` };
  const soon = certificateSoonDays * day;
  if (left >= (renewed === 'by_hand' ? soon : Math.min(soon, (to - from) * lastShare)))
    return { is: 'valid' };
  return {
    is: 'expires_soon',
    reason: `expires in ${left < 2 * day && renewed === 'by_itself' ? agesSince(left) : counted(Math.floor(left / day), 'day')}`,
  };
}

/** State of something whose one certificate is so. */
export const stateOfValidity: Readonly<Record<Validity['is'], HealthState>> = {
  expired: 'failing',
  not_yet_valid: 'failing',
  expires_soon: 'degraded',
  valid: 'healthy',
};
