/**
 * Kind of a log line, from GitHub's workflow commands as they appear in a stored log (`##[error]`) or from the console,
 * which starts each job with `==> name <==`.
 */
export const lineKinds = [
  'plain',
  'error',
  'warning',
  'notice',
  'debug',
  'command',
  'section',
  'group',
  'endgroup',
  'head',
] as const;
export type LineKind = (typeof lineKinds)[number];

/** Offsets of the parts of a line, in the text the line was cut from. */
export type LineParts = {
  readonly kind: LineKind;
  /** Start of the message, after the code host's timestamp. */
  readonly message: number;
  /** Characters of its mark, such as 9 of `##[error]`. */
  readonly mark: number;
};

/** The time GitHub writes before each line. A byte order mark stands before the first of a file. */
const stamp = /\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?/y;
const mark = /##\[(error|warning|notice|debug|command|section|group|endgroup)\]/y;
const head = /==> .+ <==$/;

/** Reads the line between two places of a text; `end` is the place of its newline. */
export function partsOf(text: string, start: number, end: number): LineParts {
  stamp.lastIndex = start;
  const stamped = stamp.test(text) && stamp.lastIndex <= end;
  const message = stamped ? stamp.lastIndex : start;
  mark.lastIndex = message;
  const marked = text.startsWith('##[', message) ? mark.exec(text) : null;
  if (marked !== null && mark.lastIndex <= end) {
    const kind = lineKinds.find((known) => known === marked[1]) ?? 'plain';
    return { kind, message, mark: marked[0].length };
  }
  // What a program printed has a time stamp before it, so that `tail`, which heads files alike, makes no job here.
  const isHead = !stamped && text.startsWith('==> ', start) && head.test(text.slice(start, end));
  return { kind: isHead ? 'head' : 'plain', message, mark: 0 };
}

/** A job's name out of its head line: `0_build.txt` is job `build`. */
export function jobName(line: string): string {
  return line
    .replace(/^==> (.+) <==$/, '$1')
    .replace(/^-?\d+_/, '')
    .replace(/\.txt$/, '');
}

/**
 * Terminal escapes: CSI, OSC, other strings, and two-character ones. A string that is not ended takes only its first two
 * characters with it: a log must not be able to hide what follows.
 */
export const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are control characters.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\](?:[^\u0007\u001b]*(?:\u0007|\u001b\\))?|[PX^_](?:[^\u001b]*\u001b\\)?|[ -/]*[0-~])?/g;

/** Controls but tab, and what turns the direction of writing: it would show a line other than it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for to be left out.
const unseen = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A text without characters that have no look of their own. */
export const withoutUnseen = (text: string): string => text.replace(unseen, '');

/** Returns a text without escape sequences and control characters. */
export const plainText = (raw: string): string => withoutUnseen(raw.replace(escapes, ''));

/** Tells whether any of the given lines, the first of a log, has a timestamp. */
export const haveTimes = (lines: readonly string[]): boolean =>
  lines.some((line) => partsOf(line, 0, line.length).message > 0);

/** A line as it is looked through: its message, behind its time when that is shown. */
export function searchedText(raw: string, times: boolean): string {
  return plainText(times ? raw : raw.slice(partsOf(raw, 0, raw.length).message));
}
