/** A line of a container's log. */
export type LogLine = {
  /** What lines are ordered by: a UTC time with nine digits of a second, so that texts compare as times do. */
  readonly key: string;
  /** As the cluster or the bundle has it; empty for a line without a time. */
  readonly time: string;
  readonly text: string;
};

/** The time a kubelet writes before each line (RFC 3339, to the nanosecond). */
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?/;

/** A time that a program wrote near the begin of its line. */
const own = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?/;

/** Characters of a line in which its program's time is looked for. */
const judged = 80;

/** A time as a key, in UTC. */
function keyOf(seconds: string, fraction: string | undefined, zone: string | undefined): string {
  const digits = (fraction ?? '').padEnd(9, '0');
  if (zone === undefined || zone === 'Z') return `${seconds}.${digits}`;
  const at = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(at) ? `${seconds}.${digits}` : `${new Date(at).toISOString().slice(0, 19)}.${digits}`;
}

/** Epoch milliseconds as a key. */
export const keyOfTime = (at: number): string => keyOf(...isoParts(at));

function isoParts(at: number): [string, string, string] {
  const text = new Date(at).toISOString();
  return [text.slice(0, 19), text.slice(20, 23), 'Z'];
}

/** Whole seconds of a key, in epoch milliseconds. */
export const secondsOfKey = (key: string): number => Date.parse(`${key.slice(0, 19)}Z`);

/**
 * Reads a line behind its time. A line without one, as bundles have them, takes the time its program wrote, else that of the line
 * before.
 */
function readLine(raw: string, before: string): LogLine {
  const stamped = stamp.exec(raw);
  if (stamped !== null) {
    const [whole, seconds = '', fraction, zone] = stamped;
    return { key: keyOf(seconds, fraction, zone), time: whole.trimEnd(), text: raw.slice(whole.length) };
  }
  const [, date, clock, fraction, zone] = own.exec(raw.slice(0, judged)) ?? [];
  const key =
    date === undefined
      ? before
      : keyOf(`${date}T${clock}`, fraction, zone?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2'));
  return { key, time: '', text: raw };
}

/** Characters of a line that are held at most while its end is waited for. */
const longestHeld = 262_144;

/** Bytes as lines without their ends; a line too long to hold is cut. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly LogLine[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let before = '';
  const read = (raw: string): LogLine => {
    const line = readLine(raw, before);
    before = line.key;
    return line;
  };
  for await (const piece of bytes) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > longestHeld) {
      parts.push(rest);
      rest = '';
    }
    if (parts.length > 0) yield parts.map(read);
  }
  rest += decoder.decode();
  if (rest !== '') yield [read(rest)];
}
