import { levelOf } from './log-level.ts';
import { jobName, type LineKind, lineKinds, partsOf, plainText } from './log-line.ts';
import { createNumberList, type NumberList } from './number-list.ts';

/** Characters of a line in which its level is looked for. */
const judged = 400;

/** Lines that are kept at most; a log that is nothing but line ends has more than anybody reads. */
const mostLines = 5_000_000;

/** A part of the log: one job's. */
export type LogPart = { readonly name: string; readonly head: number };

/**
 * A log's text as it came, in pieces that end with a line, and for each line where it begins, what it is and how wide it
 * is: 9 bytes a line beside the text, and no object. Lines are counted from 0.
 */
export type LogText = {
  /** Takes a piece of the text. */
  append(text: string): void;
  /** No more comes: what stands after the last line end is a line. */
  finish(): void;
  readonly lines: number;
  /** True when the log has more lines than are kept. */
  readonly full: boolean;
  /** True when lines are judged by the level their program wrote. */
  readonly levels: boolean;
  /** Characters of the widest message. */
  readonly widest: number;
  /** The pieces, for who looks through them. They only become more. */
  readonly pieces: readonly string[];
  readonly parts: readonly LogPart[];
  /** Lines marked as errors, and as warnings. */
  readonly errors: NumberList;
  readonly warnings: NumberList;
  /** Lines that begin a group. */
  readonly groups: NumberList;
  /** The line as it came, without its end; empty beyond the last. */
  line(index: number): string;
  kind(index: number): LineKind;
  /** Characters of the message as it is read. */
  width(index: number): number;
  /** The line that ends the group begun at `groups.at(index)`, or the line after its last. */
  groupEnd(index: number): number;
};

type LogTextOptions = {
  /** Lines that are kept at most. */
  readonly keep?: number;
  /** Judges lines by the level their program wrote. */
  readonly levels?: boolean;
};

/** An empty log. */
export function createLogText({ keep = mostLines, levels = false }: LogTextOptions = {}): LogText {
  const pieces: string[] = [];
  const firstLines = createNumberList(64);
  const starts = createNumberList(65_536);
  const widths = createNumberList(65_536);
  const errors = createNumberList(16);
  const warnings = createNumberList(16);
  const groups = createNumberList(64);
  const groupEnds = createNumberList(64);
  const parts: LogPart[] = [];
  let kinds = new Uint8Array(65_536);
  let widest = 0;
  let full = false;
  let rest = '';

  const closeGroup = (line: number) => {
    if (groupEnds.length < groups.length) groupEnds.push(line);
  };
  const note = (text: string, start: number, end: number): void => {
    const line = starts.length;
    const { kind: marked, message, mark } = partsOf(text, start, end);
    const level =
      levels && marked === 'plain'
        ? levelOf(plainText(text.slice(message, end).slice(0, judged)))
        : undefined;
    const kind = level ?? marked;
    starts.push(start);
    if (line === kinds.length) {
      const larger = new Uint8Array(kinds.length * 2);
      larger.set(kinds);
      kinds = larger;
    }
    kinds[line] = lineKinds.indexOf(kind);
    const width = widthOf(text, message + mark, end);
    widths.push(width);
    if (width > widest) widest = width;
    if (kind === 'error') errors.push(line);
    if (kind === 'warning') warnings.push(line);
    if (kind === 'group' || kind === 'endgroup' || kind === 'head') closeGroup(line);
    if (kind === 'group') groups.push(line);
    if (kind === 'head') parts.push({ name: jobName(text.slice(start, end)), head: line });
  };
  const take = (text: string): void => {
    pieces.push(text);
    firstLines.push(starts.length);
    for (let start = 0; start < text.length; ) {
      if (starts.length >= keep) {
        pieces[pieces.length - 1] = text.slice(0, start);
        full = true;
        return;
      }
      const end = text.indexOf('\n', start);
      note(text, start, end);
      start = end + 1;
    }
  };
  return {
    append(text) {
      if (full) return;
      const cut = text.lastIndexOf('\n') + 1;
      if (cut === 0) {
        rest += text;
        return;
      }
      take(rest + text.slice(0, cut));
      rest = text.slice(cut);
    },
    finish() {
      if (rest !== '' && !full) take(`${rest}\n`);
      rest = '';
      closeGroup(starts.length);
    },
    get lines() {
      return starts.length;
    },
    get full() {
      return full;
    },
    levels,
    get widest() {
      return widest;
    },
    pieces,
    parts,
    errors,
    warnings,
    groups,
    line(index) {
      const piece = firstLines.lastUpTo(index);
      const text = pieces[piece];
      if (text === undefined || index >= starts.length) return '';
      const start = starts.at(index);
      const end = text.indexOf('\n', start);
      return text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    },
    kind: (index) => lineKinds[kinds[index] ?? 0] ?? 'plain',
    width: (index) => widths.at(index),
    groupEnd: (index) => (index < groupEnds.length ? groupEnds.at(index) : starts.length),
  };
}

/** Columns of a tab; also in the style sheet. */
const tab = 4;

function widthOf(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    // Most lines have neither escapes nor tabs, and are not copied to be measured.
    if (code < 32) return plainText(text.slice(start, end).replaceAll('\t', ' '.repeat(tab))).length;
  }
  return end - start;
}
