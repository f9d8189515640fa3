import { counted } from '#shared/text.ts';

/** A length of time as a person says it, such as `40 s`, `12 min`, `5 h` or `3 days`. Milliseconds. */
export function agesSince(ms: number): string {
  if (!Number.isFinite(ms)) return 'a long time';
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : counted(Math.round(hours / 24), 'day');
}

/** Characters of another system's message that a clause takes. */
const longest = 240;

/** A message of another system on one line, cut where it is long. */
export function clipped(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

const inWords = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A time in a sentence, with its zone, such as `24 Oct 2024, 13:22 UTC`; the text itself when it is no time. */
export function formatTime(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : `${inWords.format(ms)} UTC`;
}

/** A Kubernetes time (seconds or microseconds) as answers write it; undefined for none or for nonsense. */
export function timeOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
