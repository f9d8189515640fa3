import type { Evidence } from '#shared/api/troubleshoot.ts';

/** A line of evidence as it is drawn. */
export type EvidenceLine = {
  /** 1-based, of what the evidence was taken from; absent where that has no lines. */
  readonly number: number | undefined;
  readonly text: string;
  /** True for what was matched, false for what stands around it. */
  readonly hit: boolean;
  /** Range matched within the text, end exclusive; undefined if the whole line matched. */
  readonly match: readonly [number, number] | undefined;
};

/** The lines of evidence with those around it. What was matched may have several lines itself. */
export function evidenceLines(evidence: Evidence): readonly EvidenceLine[] {
  const { line, text, match, before = [], after = [] } = evidence;
  const hits = text.split('\n');
  const numberOf = (offset: number) => (line === undefined ? undefined : line + offset);
  const around = (label: string, offset: number): EvidenceLine => ({
    number: numberOf(offset),
    text: label,
    hit: false,
    match: undefined,
  });
  const starts = hits.map((_, index) =>
    hits.slice(0, index).reduce((sum, previous) => sum + previous.length + 1, 0),
  );
  return [
    ...before.map((label, index) => around(label, index - before.length)),
    ...hits.map((label, index) => ({
      number: numberOf(index),
      text: label,
      hit: true,
      match: match && partIn(label, match, starts[index] ?? 0),
    })),
    ...after.map((label, index) => around(label, hits.length + index)),
  ];
}

/** Returns the part of the match that lies in the line beginning at `start`; undefined if there is none. */
function partIn(
  line: string,
  [from, to]: readonly [number, number],
  start: number,
): readonly [number, number] | undefined {
  const first = Math.max(0, from - start);
  const last = Math.min(line.length, to - start);
  return first < last ? [first, last] : undefined;
}
