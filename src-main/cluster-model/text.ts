/** `1 pod`, `3 pods`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

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

/** A Kubernetes time (seconds or microseconds) as answers write it; undefined for none or for nonsense. */
export function timeOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
