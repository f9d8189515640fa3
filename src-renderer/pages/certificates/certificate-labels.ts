import type { MeshCa } from '#shared/api/cluster.ts';
import { formatCount } from '../../components/format-quantity.ts';

/** `9 days`, or how long ago it expired. Of whole days left, rounded down, so that -1 is the day that has just begun. */
export function daysLabel(daysLeft: number): string {
  if (daysLeft >= 0) return daysLeft < 1 ? 'below 1 day' : formatCount(Math.floor(daysLeft), 'day');
  const ago = Math.ceil(-daysLeft) - 1;
  return ago < 1 ? 'expired today' : `expired ${formatCount(ago, 'day')} ago`;
}

/** The common name of a certificate, of which a namespace may hold several; else whose it is. */
export function certificateName({ subject, namespace }: MeshCa): string {
  return /(?:^|, )CN=([^,]+)/.exec(subject)?.[1] ?? `Mesh CA of ${namespace}`;
}

/** Tells whether the certificate chain verifies. */
export function chainLabel(chainOk: boolean | undefined): string {
  if (chainOk === undefined) return 'Self-signed';
  return chainOk ? 'Verifies' : 'Does not verify';
}

/** Spans of time in which certificates expire, nearest first. `until` in days, not reached. */
export const spans = [
  { name: 'Expired', until: 0 },
  { name: 'Within 7 days', until: 7 },
  { name: 'Within 30 days', until: 30 },
  { name: 'Within 90 days', until: 90 },
  { name: 'Within a year', until: 365 },
  { name: 'Later', until: Number.POSITIVE_INFINITY },
] as const;

/** Certificates by the span they expire in, each span's nearest first. */
export const bySpan = (items: readonly MeshCa[]): readonly (readonly MeshCa[])[] =>
  spans.map(({ until }, index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : (spans[index - 1]?.until ?? 0);
    return items
      .filter(({ days_left }) => days_left >= from && days_left < until)
      .sort((a, b) => a.days_left - b.days_left);
  });
