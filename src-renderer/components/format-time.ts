const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
] as const;

/** A duration in its largest whole unit: `4 s`, `12 min`, `2 d`. Below a second it is `0 s`. */
export function formatDuration(milliseconds: number): string {
  const unit = units.find(({ ms }) => milliseconds >= ms) ?? units[3];
  return `${Math.max(0, Math.floor(milliseconds / unit.ms))} ${unit.name}`;
}

/** Formats a moment relative to now. A moment slightly in the future (clock skew) counts as now. */
export function formatAgo(at: number, now: number): string {
  return now - at < 1000 ? 'just now' : `${formatDuration(now - at)} ago`;
}

const sameYear = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
const anyYear = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** A moment in UTC to the second, for records that people of several zones compare; the year only when it is not this one. */
export function utcTime(at: number, now: number): string {
  const thisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (thisYear ? sameYear : anyYear).format(at).replace(',', '');
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** The exact moment for a hover, in the person's own time zone, named. */
export function exactTime(at: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `${exact.format(at)}, ${zone}`;
}
