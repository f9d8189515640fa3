import { describe, expect, it } from 'vitest';
import { linesSince } from '../../../src-main/sources/cluster/bundle/logs/log-since.ts';

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
};

const since = Date.parse('2026-11-21T10:00:00Z');
const log = [
  'no time yet\n2026-11-21T09:59:59Z before\n  its stack\n2026-11-2',
  '1T10:00:00.000000001Z grün\n  at line 1\n2026-11-21T10:00:01Z last',
];

describe('the lines of a bundle’s log since a moment', () => {
  it('are those with a later time, each with the lines that follow it, cut anywhere', async () => {
    expect(await textOf(linesSince(pieces(...log), since, undefined))).toBe(
      'no time yet\n2026-11-21T10:00:00.000000001Z grün\n  at line 1\n2026-11-21T10:00:01Z last',
    );
  });

  it('are of those the newest, where only so many are wanted', async () => {
    expect(await textOf(linesSince(pieces(...log), since, 2))).toBe('  at line 1\n2026-11-21T10:00:01Z last');
  });
});
