const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

/** The clock time of today, with the day before it for any other day. */
export function shortTime(at: Date, now = new Date()): string {
  return at.toDateString() === now.toDateString()
    ? clock.format(at)
    : `${day.format(at)}, ${clock.format(at)}`;
}

/** Date and time to the second. */
export const exactTime = (at: Date): string => full.format(at);
