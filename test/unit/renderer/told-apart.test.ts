import { describe, expect, it } from 'vitest';
import { semanticColors } from '../../../src-renderer/app/theme/tokens.ts';
import { healthStates } from '../../../src-renderer/components/health-states.ts';

type Triple = readonly [number, number, number];

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

const rgbOf = (hex: string): Triple => {
  const at = (index: number) => linear(Number.parseInt(hex.slice(index, index + 2), 16) / 255);
  return [at(1), at(3), at(5)];
};

/** Machado, Oliveira and Fernandes 2009, deuteranopia, on linear RGB. */
const deuteranopia: readonly Triple[] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];

const times = (row: Triple, [r, g, b]: Triple): number => row[0] * r + row[1] * g + row[2] * b;

/** CIELAB (D65) of a colour as it is seen without the cones for green. */
function seen(hex: string): Triple {
  const rgb = rgbOf(hex);
  const [r = 0, g = 0, b = 0] = deuteranopia.map((row) => Math.min(1, Math.max(0, times(row, rgb))));
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f(times([0.4124, 0.3576, 0.1805], [r, g, b]) / 0.95047);
  const y = f(times([0.2126, 0.7152, 0.0722], [r, g, b]));
  const z = f(times([0.0193, 0.1192, 0.9505], [r, g, b]) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (one: string, other: string): number => {
  const [a, b] = [seen(one), seen(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
};

describe('red and amber', () => {
  it.each(['light', 'dark'] as const)(
    'are told apart without the cones for green, in the %s theme',
    (theme) => {
      const colors = semanticColors[theme];
      // A difference of 10 is seen at a glance.
      for (const use of ['solid', 'fg'] as const)
        expect(difference(colors[`failing-${use}`], colors[`degraded-${use}`]), use).toBeGreaterThan(10);
    },
  );

  it('never stand alone: each state has a shape and a word of its own', () => {
    const states = Object.values(healthStates);
    expect(new Set(states.map(({ label }) => label)).size).toBe(states.length);
    expect(healthStates.failing.state).not.toBe(healthStates.degraded.state);
  });
});
