import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogScanner, type LineHit, mostHits } from '../../../src-main/log-scan/index.ts';
import { sweepOf } from '../../support/sweeps.ts';

function scan(
  literals: readonly string[],
  pieces: readonly Buffer[],
): { hits: LineHit[]; counts: readonly number[] } {
  const scanning = createLogScanner(literals).begin();
  const hits = pieces.flatMap((piece) => {
    const found = scanning.feed(piece);
    // The caller may use its bytes again.
    piece.fill(0);
    return found;
  });
  return { hits: [...hits, ...scanning.end()], counts: scanning.counts };
}

const whole = (literals: readonly string[], text: string) => scan(literals, [Buffer.from(text)]);
const cut = (text: Buffer, at: readonly number[]): Buffer[] => {
  const places = [0, ...[...at].sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, i) => Buffer.from(text.subarray(places[i], end)));
};

describe('the log scanner', () => {
  it('gives the line, its number, its place and the lines around it', () => {
    const { hits } = whole(['no such host'], 'first\nsecond\ndial db: no such host\nfourth\nfifth\n');
    expect(hits).toEqual([
      {
        literal: 0,
        line: 3,
        offset: 13,
        text: 'dial db: no such host',
        column: 9,
        before: ['second'],
        after: ['fourth'],
      },
    ]);
  });

  it('finds ASCII letters in either case, and no other bytes than those asked for', () => {
    const { hits } = whole(['Error[X]@'], 'ERROR[x]@\nerror{x}@\nerror[x]`\n');
    expect(hits.map(({ line }) => line)).toEqual([1]);
  });

  it('keeps the lines of a stack trace, and the one that ends it', () => {
    const trace = 'Traceback (most recent call last)\n  File "a.py"\n    run()\nValueError: no\nnext\n';
    expect(whole(['Traceback (most'], trace).hits[0]?.after).toEqual([
      '  File "a.py"',
      '    run()',
      'ValueError: no',
    ]);
  });

  it('finds a literal in the middle of a line of megabytes, and shows only what is around it', () => {
    const line = Buffer.concat([
      Buffer.alloc(3_000_000, 'a'),
      Buffer.from('needle here'),
      Buffer.alloc(3_000_000, 'b'),
    ]);
    const text = Buffer.concat([Buffer.from('one\n'), line, Buffer.from('\nneedle here again\nlast')]);
    for (const size of [text.length, 256 * 1024, 70_000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        Buffer.from(text.subarray(i * size, (i + 1) * size)),
      );
      const { hits } = scan(['needle here'], pieces);
      expect(hits.map(({ line, offset }) => [line, offset])).toEqual([
        [2, 4],
        [3, 5 + line.length],
      ]);
      expect(hits[0]?.text.length).toBeLessThanOrEqual(4096);
      expect(hits[0]?.text.slice(hits[0].column)).toMatch(/^needle here/);
    }
  });

  it('gives the first hits of a log that says the same a million times and the last, and counts them all', () => {
    const { hits, counts } = whole(
      ['connection refused'],
      'x connection refused connection refused\n'.repeat(50_000),
    );
    expect(hits.map(({ line }) => line)).toEqual([
      ...Array.from({ length: mostHits }, (_, i) => i + 1),
      50_000,
    ]);
    expect(hits.at(-1)?.before).toEqual(['x connection refused connection refused']);
    expect(counts).toEqual([50_000]);
  });

  it('reads bytes that are no UTF-8', () => {
    const text = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from(' disk full'),
      Buffer.from([0xc3]),
    ]);
    const { hits } = scan(['disk full'], [text]);
    expect(hits[0]?.text.slice(hits[0].column)).toMatch(/^disk full/);
  });

  it('refuses a literal that is shorter than its windows', () => {
    expect(() => createLogScanner(['long enough', 'oom'])).toThrow(RangeError);
  });

  it('finds what a search line by line finds, however the bytes are cut', () => {
    const word = fc.constantFrom(
      'alphabet',
      'BETA-beta',
      'gammagamma',
      ' ',
      '\n',
      '\r\n',
      'al',
      'pha',
      'é',
      'beta',
      '\talpha',
    );
    const literals = ['alphabet', 'beta-beta', 'gammag', 'pha alpha'];
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 80 }),
        fc.array(fc.nat(400), { maxLength: 8 }),
        (words, cuts) => {
          const text = words.join('');
          const bytes = Buffer.from(text);
          const { hits } = scan(
            literals,
            cut(
              bytes,
              cuts.map((at) => Math.min(at, bytes.length)),
            ),
          );
          const expected = text.split('\n').flatMap((line, i) =>
            literals.flatMap((literal, index) => {
              const column = line.toLowerCase().indexOf(literal);
              return column < 0
                ? []
                : [{ line: i + 1, literal: index, column, text: line.replace(/\r$/, '') }];
            }),
          );
          const order = (a: { line: number; literal: number }, b: { line: number; literal: number }) =>
            a.line - b.line || a.literal - b.literal;
          expect(
            hits.map(({ line, literal, column, text }) => ({ line, literal, column, text })).sort(order),
          ).toEqual(expected);
        },
      ),
      { numRuns: sweepOf(2000, 300) },
    );
  });

  it('gives the same context however the bytes are cut', () => {
    const line = fc.constantFrom('needle', '  at needle', 'plain', '\tindented', '', 'Caused by: x');
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.nat(300), { maxLength: 8 }),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.join('\n'));
          const order = (a: LineHit, b: LineHit) => a.line - b.line;
          const places = cuts.map((at) => Math.min(at, bytes.length));
          expect(scan(['needle'], cut(bytes, places)).hits.sort(order)).toEqual(
            scan(['needle'], [Buffer.from(bytes)]).hits.sort(order),
          );
        },
      ),
      { numRuns: sweepOf(2000, 300) },
    );
  });
});
