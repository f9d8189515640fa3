import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../../src-renderer/components/log-viewer/ansi.ts';
import { mostShown, shownLine } from '../../../../src-renderer/components/log-viewer/line-pieces.ts';
import { expressionOf, findInPiece } from '../../../../src-renderer/components/log-viewer/log-find.ts';
import {
  formatProgress,
  formatRange,
  formatSize,
  rangeOf,
} from '../../../../src-renderer/components/log-viewer/log-labels.ts';
import { levelOf } from '../../../../src-renderer/components/log-viewer/log-level.ts';
import {
  jobName,
  partsOf,
  plainText,
  searchedText,
} from '../../../../src-renderer/components/log-viewer/log-line.ts';
import { createLogRows } from '../../../../src-renderer/components/log-viewer/log-rows.ts';
import { createLogText } from '../../../../src-renderer/components/log-viewer/log-text.ts';
import {
  aboveView,
  drawnRows,
  geometryOf,
  lineHeight,
  scrollTopFor,
  scrollTopOfRow,
} from '../../../../src-renderer/components/log-viewer/log-viewport.ts';
import { endNote } from '../../../../src-renderer/components/log-viewer/read-log.ts';

const stamp = '2026-11-21T07:00:00.1234567Z ';
const esc = '\u001b';

function logOf(text: string, keep = 5_000_000) {
  const log = createLogText({ keep });
  log.append(text);
  log.finish();
  return log;
}

const linesOf = (log: ReturnType<typeof logOf>): string[] =>
  Array.from({ length: log.lines }, (_, index) => log.line(index));

describe('the text of a log', () => {
  it('holds the same lines however it was cut on its way', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.array(fc.nat(40)), (lines, cuts) => {
        const whole = lines.map((line) => line.replaceAll(/[\r\n]/g, '')).join('\n');
        const log = createLogText();
        let from = 0;
        for (const cut of cuts) {
          log.append(whole.slice(from, from + cut));
          from += cut;
        }
        log.append(whole.slice(from));
        log.finish();
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(linesOf(log)).toEqual(expected);
      }),
    );
  });

  it('counts errors, warnings, groups and jobs, and ends a group where the next begins', () => {
    const log = logOf(
      [
        '==> 0_build.txt <==',
        `${stamp}##[group]Run make`,
        `${stamp}make all`,
        `${stamp}##[group]Environment`,
        `${stamp}HOME=/root`,
        `${stamp}##[endgroup]`,
        `${stamp}##[warning]Old cache`,
        '==> 1_test (linux).txt <==',
        `${stamp}##[error]Process completed with exit code 1.`,
        `${stamp}==> not-a-job.txt <==`,
      ].join('\n'),
    );
    expect(log.parts).toEqual([
      { name: 'build', head: 0 },
      { name: 'test (linux)', head: 7 },
    ]);
    expect([log.errors.length, log.errors.at(0)]).toEqual([1, 8]);
    expect([log.warnings.length, log.warnings.at(0)]).toEqual([1, 6]);
    expect([log.groups.length, log.groupEnd(0), log.groupEnd(1)]).toEqual([2, 3, 5]);
    expect(log.kind(9)).toBe('plain');
  });

  it('keeps so many lines and says that there were more', () => {
    const log = logOf('a\nb\nc\nd\n', 3);
    expect(linesOf(log)).toEqual(['a', 'b', 'c']);
    expect(log.full).toBe(true);
    expect(logOf('a\nb\nc\n', 3).full).toBe(false);
  });

  it('takes the console’s last line for why it ends', () => {
    expect(endNote(logOf('a\n[The log goes on: 50 MB of 60 MB are shown.]\n'))).toBe(
      'The log goes on: 50 MB of 60 MB are shown.',
    );
    expect(endNote(logOf('a\n[INFO] The build went on.\n'))).toBeUndefined();
  });
});

describe('a line of a log', () => {
  it('is told apart into time, mark and message', () => {
    const parts = (line: string) => partsOf(line, 0, line.length);
    expect(parts(`${stamp}##[error]No`)).toEqual({ kind: 'error', message: 29, mark: 9 });
    expect(parts(`\uFEFF${stamp}hello`)).toEqual({ kind: 'plain', message: 30, mark: 0 });
    expect(parts('##[made-up]x')).toEqual({ kind: 'plain', message: 0, mark: 0 });
    expect(parts('2026-11-21 hello').message).toBe(0);
    expect(jobName('==> 12_deploy to eu.txt <==')).toBe('deploy to eu');
  });

  it('loses escapes, controls and what turns writing around, and nothing else', () => {
    expect(plainText(`${esc}[31mred${esc}[0m ${esc}[2Kx${esc}[?25l`)).toBe('red x');
    expect(plainText(`${esc}]8;;https://a.example${esc}\\link${esc}]8;;${esc}\\`)).toBe('link');
    expect(plainText(`a\u202eb\u0000c\td`)).toBe('abc\td');
    expect(plainText('<script>alert(1)</script> &amp;')).toBe('<script>alert(1)</script> &amp;');
  });

  it('is not hidden by a string escape that never ends', () => {
    expect(plainText(`before ${esc}]0;title and all that follows`)).toContain('and all that follows');
    expect(plainText(`before ${esc}Pq and all that follows`)).toContain('and all that follows');
  });

  it('has the same text in colours as without', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        `${esc}[1;31m`,
        `${esc}[38;5;208m`,
        `${esc}[38;2;10;200;30m`,
        `${esc}[48:2::1:2:3m`,
        `${esc}[m`,
        esc,
        `${esc}[`,
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const raw = pieces.join('');
        expect(
          piecesOf(raw)
            .map(({ text }) => text)
            .join(''),
        ).toBe(plainText(raw));
      }),
    );
  });

  it('takes colours from the theme, whichever of the three ways they are asked for', () => {
    const styles = (raw: string) => piecesOf(raw).map(({ text, style }) => [text, style]);
    expect(styles(`${esc}[1mbold${esc}[3mboth${esc}[0mnone`)).toEqual([
      ['bold', { bold: true }],
      ['both', { bold: true, italic: true }],
      ['none', {}],
    ]);
    expect(styles(`${esc}[31mred${esc}[92mgreen${esc}[90mgrey${esc}[37mwhite`)).toEqual([
      ['red', { colour: 'red' }],
      ['green', { colour: 'green' }],
      ['grey', { colour: 'grey' }],
      ['white', { colour: 'default' }],
    ]);
    expect(styles(`${esc}[38;5;196ma${esc}[38;2;40;90;240mb${esc}[38:2::40:90:240mc`)).toEqual([
      ['a', { colour: 'red' }],
      ['b', { colour: 'blue' }],
      ['c', { colour: 'blue' }],
    ]);
    expect(styles(`${esc}[7;31mturned`)).toEqual([['turned', { colour: 'default', ground: 'red' }]]);
  });

  it('shows a match across colours, in its mark and in its time', () => {
    const raw = `${stamp}##[error]${esc}[31mno ro${esc}[0mom`;
    const at = (words: string, times: boolean) => {
      const start = searchedText(raw, times).indexOf(words);
      return shownLine(raw, times, [{ start, length: words.length, current: true }]);
    };
    const hits = (line: ReturnType<typeof shownLine>) =>
      line.pieces.filter(({ hit }) => hit === 'current').map(({ text }) => text);
    expect(hits(at('room', false))).toEqual(['ro', 'om']);
    expect(hits(at('room', true))).toEqual(['ro', 'om']);
    expect(at('##[error]', false).markHit).toBe('current');
    expect(at('07:00', true).stampHit).toBe(true);
    expect(at('room', true).stampHit).toBe(false);
    expect(at('room', true).markHit).toBeUndefined();
  });

  it('that is too long to draw is shown around its current match', () => {
    const raw = `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}`;
    const start = raw.indexOf('needle');
    const shown = shownLine(raw, false, [{ start, length: 6, current: true }]);
    const length = shown.pieces.reduce((sum, { text }) => sum + text.length, 0);
    expect(shown.pieces.find(({ hit }) => hit === 'current')?.text).toBe('needle');
    expect(length).toBe(mostShown);
    expect(shown.before + length + shown.after).toBe(raw.length);
  });
});

describe('the rows of a log', () => {
  const text = ['##[group]one', 'a', 'b', '##[endgroup]', 'c', '##[group]two', 'd', '##[endgroup]', 'e'];

  it('leave out the ends of groups and what is folded, and a hidden line has the row of its group', () => {
    const log = logOf(text.join('\n'));
    const lines = (folded: number[]) => {
      const rows = createLogRows(log, new Set(folded), undefined);
      return Array.from({ length: rows.count }, (_, row) => rows.lineAt(row));
    };
    expect(lines([])).toEqual([0, 1, 2, 4, 5, 6, 8]);
    expect(lines([0])).toEqual([0, 4, 5, 6, 8]);
    expect(createLogRows(log, new Set([0]), undefined).rowOf(2)).toBe(0);
  });

  it('are the same whether the log was there at once or came bit by bit', () => {
    const log = createLogText();
    const rows = createLogRows(log, new Set([0]), 10);
    for (const line of text) {
      log.append(`${line}\n`);
      rows.extend();
    }
    const whole = createLogRows(logOf(text.join('\n')), new Set([0]), 10);
    expect([rows.count, rows.height]).toEqual([whole.count, whole.height]);
  });

  it('are as high as their lines wrap', () => {
    const log = logOf(`short\n${'x'.repeat(25)}\n\n${esc}[31m${'y'.repeat(10)}${esc}[0m`);
    const rows = createLogRows(log, new Set(), 10);
    expect([0, 1, 2, 3, 4].map((row) => rows.topOf(row))).toEqual([0, 1, 4, 5, 6]);
    expect([0, 1, 3, 4, 5].map((height) => rows.rowAt(height))).toEqual([0, 1, 1, 2, 3]);
  });
});

describe('the view of a log', () => {
  const rowsOf = (count: number) => createLogRows(logOf('\n'.repeat(count)), new Set(), undefined);

  it('draws few rows around the view, wherever it stands', () => {
    const rows = rowsOf(200_000);
    const geometry = geometryOf(rows, 700);
    for (const scrollTop of [0, 1800, 1_234_567, geometry.content - 700]) {
      const { first, last, top } = drawnRows(rows, geometry, scrollTop);
      expect(last - first).toBeLessThan(120);
      expect(first * lineHeight).toBeLessThanOrEqual(scrollTop);
      expect(last * lineHeight).toBeGreaterThanOrEqual(Math.min(scrollTop + 700, geometry.total));
      expect(top).toBe(first * lineHeight);
    }
  });

  it('of more rows than a browser can be tall goes in proportion, from the first row to the last', () => {
    const rows = rowsOf(2_000_000);
    const geometry = geometryOf(rows, 700);
    expect(geometry.content).toBeLessThan(geometry.total);
    expect(aboveView(geometry, 0)).toBe(0);
    expect(aboveView(geometry, geometry.content - 700)).toBe(geometry.total - 700);
    for (const above of [0, 999, 18_000_001]) {
      expect(aboveView(geometry, scrollTopFor(geometry, above))).toBeCloseTo(above, 3);
    }
    expect(drawnRows(rows, geometry, geometry.content - 700).last).toBe(2_000_000);
    const scrollTop = scrollTopOfRow(rows, geometry, 0, 1_500_000);
    const { first, last } = drawnRows(rows, geometry, scrollTop);
    expect(first).toBeLessThan(1_500_000);
    expect(last).toBeGreaterThan(1_500_000);
  });

  it('stays when the row it is to show is in it', () => {
    const rows = rowsOf(1000);
    const geometry = geometryOf(rows, 700);
    expect(scrollTopOfRow(rows, geometry, 1800, 110)).toBe(1800);
    expect(scrollTopOfRow(rows, geometry, 1800, 500)).not.toBe(1800);
  });
});

describe('the search', () => {
  const find = (lines: string[], words: string, how = {}) => {
    const expression = expressionOf({ text: words, regex: false, matchCase: false, times: false, ...how });
    if (typeof expression === 'string') return expression;
    const found: number[] = [];
    findInPiece(lines, 0, 100, expression, false, found, () => true);
    return found;
  };

  it('takes words as they stand, or as a regular expression', () => {
    expect(find(['a.c abc', 'ABC'], 'a.c')).toEqual([100, 0, 3]);
    expect(find(['a.c abc', 'ABC'], 'a.c', { regex: true })).toEqual([100, 0, 3, 100, 4, 3, 101, 0, 3]);
    expect(find(['abc', 'ABC'], 'abc', { matchCase: true })).toEqual([100, 0, 3]);
  });

  it('finds what colours cut in two, and not what only escapes hold', () => {
    expect(find([`${esc}[31mnee${esc}[0mdle`], 'needle')).toEqual([100, 0, 6]);
    expect(find([`${esc}[31mx`], '31m')).toEqual([]);
  });

  it('ends with an expression that matches nothing at all', () => {
    expect(find(['aab'], 'x*', { regex: true })).toEqual([]);
  });

  it('says what is wrong with an expression', () => {
    expect(find([], '(', { regex: true })).toMatch(/^Not a regular expression: .*nterminated group/);
  });

  it('goes on from the line where it was told to stop', () => {
    const found: number[] = [];
    const expression = /a/g;
    const next = findInPiece(['a', 'a', 'a'], 0, 0, expression, false, found, () => found.length < 6);
    expect([next, found.length]).toEqual([2, 6]);
  });
});

describe('words about a log', () => {
  it('give sizes and progress with their unit', () => {
    expect([0, 1023, 1024, 14.24 * 1024 * 1024].map(formatSize)).toEqual([
      '0 B',
      '1023 B',
      '1 kB',
      '14.2 MB',
    ]);
    expect(formatProgress({ phase: 'reading', lines: 1, bytes: 10 })).toBe('Reading, 1 line, 10 B');
  });

  it('read picked lines from the address, and only those', () => {
    expect(rangeOf('12')).toEqual({ first: 12, last: 12 });
    expect(rangeOf('20-12')).toEqual({ first: 12, last: 20 });
    for (const record of [null, '', '0', 'x', '1-', '-3']) expect(rangeOf(record)).toBeUndefined();
    expect(formatRange({ first: 12, last: 20 })).toBe('12-20');
  });
});

describe('the level of a line', () => {
  it.each([
    ['E1122 10:00:00.123456 1 main.go:1] no route', 'error'],
    ['api W1122 10:00:00.123456 1 main.go:1] slow', 'warning'],
    ['{"level":"error","msg":"x"}', 'error'],
    ['{"level":50,"msg":"x"}', 'error'],
    ['{"severity":"WARNING"}', 'warning'],
    ['ts=1 level=debug msg=x', 'debug'],
    ['[ERROR] cannot reach', 'error'],
    ['2026-11-21 10:00:00 WARN slow', 'warning'],
    ['error: exit 1', 'error'],
    ['INFO served with no error', undefined],
    ['level=info msg="ERROR in a quote"', undefined],
    ['0 errors found', undefined],
  ])('%s is %s', (line, level) => {
    expect(levelOf(line)).toBe(level);
  });
});
