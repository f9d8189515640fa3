import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveProbes } from '#shared/platform/probes.ts';

const path = fc.constantFrom('/auth/config', '/livez', '/healthz', '/readyz/live', '/a');
const whole = fc.integer({ min: 1, max: 100_000 });
const settings = fc.record(
  {
    path,
    readinessPath: fc.oneof(path, fc.constant('/readyz')),
    livenessPath: path,
    startupSeconds: whole,
    readinessFailureThreshold: whole,
    livenessFailureThreshold: whole,
    timeoutSeconds: whole,
    disabled: fc.constant(false),
  },
  { requiredKeys: [] },
);

describe('effective probes', () => {
  it('of no settings are the defaults (BCK-034, BCK-035, BCK-036, BCK-037, BCK-038, BCK-039, BCK-087, BCK-088, BCK-089, BCK-090)', () => {
    const probe = { path: '/auth/config', port: '7100', timeout_seconds: 5 };
    for (const spec of [undefined, null, {}])
      expect(effectiveProbes(spec, '7100')).toEqual({
        disabled: false,
        refusals: [],
        probes: {
          startup: { ...probe, period_seconds: 10, failure_threshold: 90 },
          readiness: { ...probe, period_seconds: 10, failure_threshold: 3 },
          liveness: { ...probe, period_seconds: 30, failure_threshold: 6 },
        },
      });
  });

  it('are three for all valid settings: periods fixed, paths and thresholds as set, the rest by default (BCK-034, BCK-035, BCK-037, BCK-038)', () => {
    fc.assert(
      fc.property(settings, (spec) => {
        const { probes, refusals } = effectiveProbes(spec, '7100');
        expect(refusals).toEqual([]);
        const shared = spec.path ?? '/auth/config';
        expect(probes.startup?.path).toBe(shared);
        expect(probes.readiness?.path).toBe(spec.readinessPath ?? shared);
        expect(probes.liveness?.path).toBe(spec.livenessPath ?? shared);
        expect(probes.readiness?.failure_threshold).toBe(spec.readinessFailureThreshold ?? 3);
        expect(probes.liveness?.failure_threshold).toBe(spec.livenessFailureThreshold ?? 6);
        const all = [probes.startup, probes.readiness, probes.liveness];
        expect(all.map((probe) => probe?.period_seconds)).toEqual([10, 10, 30]);
        for (const probe of all) expect(probe?.timeout_seconds).toBe(spec.timeoutSeconds ?? 5);
      }),
    );
  });

  it('give a start at least the time that is set, and less than a period more (BCK-036)', () => {
    fc.assert(
      fc.property(whole, (startupSeconds) => {
        const { startup } = effectiveProbes({ startupSeconds }, '7100').probes;
        const budget = (startup?.failure_threshold ?? 0) * (startup?.period_seconds ?? 0);
        expect(budget).toBeGreaterThanOrEqual(startupSeconds);
        expect(budget).toBeLessThan(startupSeconds + 10);
      }),
    );
  });

  it('are none when disabled, whatever the paths (BCK-039)', () => {
    fc.assert(
      fc.property(settings, (spec) => {
        const off = { ...spec, path: '/readyz', disabled: true };
        expect(effectiveProbes(off, '7100')).toEqual({ probes: {}, disabled: true, refusals: [] });
      }),
    );
  });

  it.each([
    '/readyz',
    '/readyz/',
    '//readyz',
    '/readyz?verbose',
    '/%72eadyz',
    '/./readyz',
    '/readyz#a',
    '/livez/../readyz',
    '/%2e%2e/readyz',
  ])('refuse a start or a liveness that asks %s (BCK-041)', (forbidden) => {
    const liveness = effectiveProbes({ livenessPath: forbidden }, '7100');
    expect(liveness.probes).toEqual({});
    expect(liveness.refusals).toHaveLength(1);
    expect(liveness.refusals[0]).toContain(
      'The liveness probe must not ask /readyz, which spec.probes.livenessPath',
    );
    const both = effectiveProbes({ path: forbidden }, '7100');
    expect(both.refused).toEqual(['startup.path', 'liveness.path']);
    expect(both.specified?.liveness?.path).toBe(forbidden);
    expect(both.refusals.map((sentence) => sentence.split(' ')[1])).toEqual(['startup', 'liveness']);
    // The liveness is led elsewhere: the start is not.
    const startup = effectiveProbes({ path: forbidden, livenessPath: '/livez' }, '7100');
    expect(startup.refusals.map((sentence) => sentence.split(' ')[1])).toEqual(['startup']);
  });

  it('let readiness ask /readyz (BCK-040)', () => {
    const { probes, refusals } = effectiveProbes(
      { readinessPath: '/readyz', livenessPath: '/livez' },
      '7102',
    );
    expect(refusals).toEqual([]);
    expect(probes.readiness).toMatchObject({ path: '/readyz', port: '7102' });
  });

  it.each([
    [{ startupSeconds: 0 }, 'spec.probes.startupSeconds must be a whole number of at least 1.'],
    [{ timeoutSeconds: 1.5 }, 'spec.probes.timeoutSeconds must be a whole number of at least 1.'],
    [
      { livenessFailureThreshold: '6' },
      'spec.probes.livenessFailureThreshold must be a whole number of at least 1.',
    ],
    [{ path: 'livez' }, 'spec.probes.path must be a path that begins with /.'],
    [{ disabled: 'yes' }, 'spec.probes.disabled must be true or false.'],
    ['/livez', 'spec.probes must be an object of settings.'],
  ])('refuse %j in words', (spec, sentence) => {
    expect(effectiveProbes(spec, '7100')).toMatchObject({
      probes: {},
      disabled: false,
      refusals: [sentence],
    });
  });

  it('never throw, and are whole or none, for anything that is sent', () => {
    fc.assert(
      fc.property(fc.anything(), (spec) => {
        const { probes, disabled, refusals } = effectiveProbes(spec, undefined);
        expect(Object.keys(probes)).toHaveLength(disabled || refusals.length > 0 ? 0 : 3);
      }),
    );
  });

  it('name no port that is not known', () => {
    expect(effectiveProbes({}, undefined).probes.startup).not.toHaveProperty('port');
  });
});
