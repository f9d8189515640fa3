import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf, parseQuantity, quantitiesOf, toNumber } from '../../../src-main/cluster-model/index.ts';

const read = (text: string): number | undefined => {
  const size = parseQuantity(text);
  return size === undefined ? undefined : toNumber(size);
};

describe('a Kubernetes quantity', () => {
  it.each([
    ['0', 0],
    ['250m', 0.25],
    ['1', 1],
    ['.5', 0.5],
    ['2.', 2],
    ['125000000n', 0.125],
    ['100u', 0.0001],
    ['1Gi', 2 ** 30],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['500M', 500_000_000],
    ['16331752Ki', 16_331_752 * 1024],
    ['1e3', 1000],
    ['1E3', 1000],
    ['12e-1', 1.2],
    ['1E', 1e18],
    ['128974848', 128_974_848],
    ['-1.5', -1.5],
    ['+4k', 4000],
  ])('%s is %d', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each(['', 'm', '1 Gi', '1gi', '0x10', '1e', '1Kim', 'NaN', '--1', '.', '1m5'])('%j is none', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is rounded up where it is finer than a billionth, as the API server does', () => {
    expect(parseQuantity('0.1n')).toBe(1n);
    expect(parseQuantity('1e-12')).toBe(1n);
  });

  it('sums exactly, in any order and any spelling', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 64_000 }), { maxLength: 50 }), (millis) => {
        const spelled = millis.flatMap((milli, index) =>
          index % 2 === 0 ? [`${milli}m`] : [(milli / 1000).toFixed(3)],
        );
        const sum = spelled.reduce((total, text) => total + (parseQuantity(text) ?? 0n), 0n);
        expect(sum).toBe(BigInt(millis.reduce((total, milli) => total + milli, 0)) * 1_000_000n);
      }),
    );
  });

  it('of memory keeps every byte up to what a number can hold', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes) => {
        expect(read(String(bytes))).toBe(bytes);
      }),
    );
  });
});

describe('a resource list', () => {
  it('counts GPUs of every maker, and leaves out what is not said', () => {
    expect(
      quantitiesOf(amountsOf({ 'nvidia.com/gpu': '2', 'amd.com/gpu': '1', 'nvidia.com/mig-1g.10gb': '1' })),
    ).toEqual({
      gpus: 4,
    });
    expect(quantitiesOf(amountsOf({ cpu: '1', 'ephemeral-storage': '1Gi', memory: 'much' }))).toEqual({
      cpu_cores: 1,
    });
  });
});
