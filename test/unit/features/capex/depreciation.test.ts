import { describe, expect, it } from 'vitest';
import { costOfHour, depreciationOf, namesNode } from '../../../../src-main/features/capex/depreciation.ts';
import { nodeCosts } from '../../../../src-main/features/capex/node-costs.ts';

const asset = { price: 1_200_000, residual: 120_000, in_service_on: '2025-01-31', lifetime_months: 36 };
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

describe('depreciation', () => {
  it('begins with service, ends with the lifetime, and leaves the residual', () => {
    expect(depreciationOf(asset, at('2024-06-01'))).toMatchObject({ accumulated: 0, bookValue: 1_200_000 });
    expect(depreciationOf(asset, at('2025-01-31'))).toMatchObject({ accumulated: 0, perMonth: 30_000 });
    expect(depreciationOf(asset, at('2028-01-31'))).toMatchObject({
      accumulated: 1_080_000,
      bookValue: 120_000,
      endsOn: '2028-01-31',
    });
    expect(depreciationOf(asset, at('2040-01-01'))).toMatchObject({ bookValue: 120_000 });
  });

  it('never goes back, and price is always what is written off and what is left', () => {
    let before = 0;
    for (let day = at('2025-01-01'); day < at('2028-06-01'); day += 86_400_000) {
      const { accumulated, bookValue } = depreciationOf(asset, day);
      expect(accumulated).toBeGreaterThanOrEqual(before);
      expect(accumulated + bookValue).toBe(asset.price);
      before = accumulated;
    }
  });

  it('ends a lifetime of months on the last day of a shorter month', () => {
    expect(depreciationOf({ ...asset, lifetime_months: 1 }, at('2025-02-01')).endsOn).toBe('2025-02-28');
    expect(depreciationOf({ ...asset, lifetime_months: 13 }, at('2025-02-01')).endsOn).toBe('2026-02-28');
  });
});

describe('the cost of a node-hour', () => {
  const nodes = ['gpu-1', 'gpu-2', 'web-1'];
  const priced = (name: string, patterns: string[], more: object = {}) => ({
    ...asset,
    name,
    currency: 'EUR',
    nodes: patterns,
    ...more,
  });

  it('adds up, over all hours of its lifetime, to what is written off', () => {
    const hours = (at('2028-01-31') - at('2025-01-31')) / 3_600_000;
    expect(costOfHour(asset, at('2026-01-01')) * hours).toBeCloseTo(1_080_000, 3);
    expect([costOfHour(asset, at('2025-01-30')), costOfHour(asset, at('2028-01-31'))]).toEqual([0, 0]);
  });

  it('is shared out over the nodes an asset names, summed by currency, and missing where nothing names a node', () => {
    const now = at('2026-01-01');
    const costs = nodeCosts(
      [
        priced('rack', ['gpu-*']),
        priced('card', ['gpu-2']),
        priced('support', ['gpu-2'], { currency: 'USD' }),
      ],
      nodes,
      now,
    );
    const hour = costOfHour(asset, now);
    expect(costs).toEqual([
      { node: 'gpu-1', currency: 'EUR', perHour: hour / 2, assets: ['rack'] },
      { node: 'gpu-2', currency: 'EUR', perHour: hour / 2 + hour, assets: ['rack', 'card'] },
      { node: 'gpu-2', currency: 'USD', perHour: hour, assets: ['support'] },
    ]);
  });

  it.each([
    ['gpu-1', 'gpu-1', true],
    ['gpu-1', 'gpu-10', false],
    ['gpu-*', 'gpu-10', true],
    ['gpu-*', 'xgpu-1', false],
  ])('pattern %s and node %s: %s', (pattern, node, named) => {
    expect(namesNode(pattern, node)).toBe(named);
  });
});
