import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonChunks } from '../../../src-main/console/json-text.ts';
import { longestHold } from '../../support/longest-hold.ts';
import { inputCountText, sweepInputs } from '../../support/sweeps.ts';

const textOf = async (value: unknown): Promise<string> => (await jsonChunks(value)).join('');

describe('JSON in chunks', () => {
  it(`is what JSON.stringify writes: ${inputCountText} small and large values`, async () => {
    // Each value is repeated, so that it is written in steps at every depth.
    const times = fc.oneof(
      { weight: 12, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.constantFrom(700, 3000) },
    );
    const inputs = fc.tuple(fc.anything({ maxDepth: 3 }), times);
    await sweepInputs(inputs, async ([value, times]) => {
      const repeated = { items: Array.from({ length: times }, () => [value, { value, ' "': undefined }]) };
      let expected: string;
      try {
        expected = JSON.stringify(repeated);
      } catch {
        // A BigInt.
        await expect(textOf(repeated)).rejects.toThrow();
        return;
      }
      expect(await textOf(repeated)).toBe(expected);
    });
  }, 120_000);

  it('leaves out what JSON does not know, and writes dates as they write themselves', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => at);
    const value = { many, f: () => 1, s: Symbol('s'), u: undefined, n: Number.NaN, d: new Date(0), e: {} };
    expect(await textOf(value)).toBe(JSON.stringify(value));
    expect(await textOf([many, () => 1, undefined, new Map([[1, 2]])])).toBe(
      JSON.stringify([many, () => 1, undefined, new Map([[1, 2]])]),
    );
  });

  it('of 40 MB holds nobody up, and comes in pieces that are sent quickly', async () => {
    const items = Array.from({ length: 200_000 }, (_, at) => ({
      id: `finding-${at}`,
      lines: Array.from({ length: 4 }, () => `line ${at} of what was seen, with "quotes" and ümlauts`),
    }));
    let chunks: readonly string[] = [];
    const held = await longestHold(async () => {
      chunks = await jsonChunks({ items });
    });
    expect(chunks.join('')).toBe(JSON.stringify({ items }));
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_000_000);
    expect(held).toBeLessThan(100);
  });
});
