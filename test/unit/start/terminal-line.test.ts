import { describe, expect, test } from 'vitest';
import { terminalLine } from '../../../src-main/start/terminal-line.ts';

const at = new Date(2026, 10, 22, 14, 3, 5).getTime();
const line = (fields: object): string =>
  `${JSON.stringify({ level: 40, time: at, pid: 1, hostname: 'vm', ...fields })}\n`;

describe('a log line on a terminal', () => {
  test('is time, level and words, then what else it says', () => {
    expect(terminalLine(line({ msg: 'the store is away', kind: 'postgres', tries: 3 }), false)).toBe(
      '14:03:05 warn  The store is away (kind: postgres, tries: 3)\n',
    );
  });

  test('gives the reason of an error and no stack', () => {
    const err = { type: 'Error', message: 'no route', stack: 'Error: no route\n    at open' };
    expect(terminalLine(line({ level: 50, msg: 'request failed', err }), false)).toBe(
      '14:03:05 error Request failed: no route\n',
    );
  });

  test('colours the level only where it may, and lets no message move the cursor', () => {
    const esc = String.fromCharCode(27);
    expect(terminalLine(line({ msg: `${esc}[2Jgone\nsecond` }), false)).toBe(
      '14:03:05 warn   [2Jgone second\n',
    );
    expect(terminalLine(line({ msg: 'away' }), true)).toBe(`14:03:05 ${esc}[33mwarn ${esc}[39m Away\n`);
  });

  test('that is none of ours is left as it is', () => {
    expect(terminalLine('listening', false)).toBe('listening\n');
  });
});
