import { describe, expect, it } from 'vitest';
import type { Platform } from '#shared/api/system.ts';
import { freshnessLabel } from '../../../../src-renderer/app/shell/freshness-labels.ts';
import { coverageBars } from '../../../../src-renderer/components/coverage-bars.ts';
import { formatAgo, formatDuration } from '../../../../src-renderer/components/format-time.ts';
import { platformLabel } from '../../../../src-renderer/components/platform-labels.ts';
import { deviceLabel, inOrder } from '../../../../src-renderer/components/session-labels.ts';

describe('times in words', () => {
  it('use the largest whole unit', () => {
    expect([0, 999, 4_000, 59_999, 720_000, 7_200_000, 172_800_000].map(formatDuration)).toEqual([
      '0 s',
      '0 s',
      '4 s',
      '59 s',
      '12 min',
      '2 h',
      '2 d',
    ]);
    expect(formatDuration(-5)).toBe('0 s');
  });

  it('call the last second, and a clock that runs ahead, just now', () => {
    expect(formatAgo(1_000, 1_500)).toBe('just now');
    expect(formatAgo(9_000, 1_000)).toBe('just now');
    expect(formatAgo(0, 4_200)).toBe('4 s ago');
  });
});

describe('freshness', () => {
  const read = { readAt: 0, now: 400_000, paused: false, failed: false };
  it('says when reading stopped', () => {
    expect(freshnessLabel(read)).toBe('Reading');
    expect(freshnessLabel({ ...read, failed: true })).toBe('Not read');
    expect(freshnessLabel({ ...read, readAt: 40_000 })).toBe('Read 6 min ago');
    expect(freshnessLabel({ ...read, readAt: 40_000, paused: true })).toBe('Paused, read 6 min ago');
    expect(freshnessLabel({ ...read, readAt: 40_000, failed: true })).toBe('Read 6 min ago, reading stopped');
  });
});

describe('the platform', () => {
  const studio = { state: 'ready', upstream: 'http://studio.platform.svc:8080/x' } as const;
  const platform: Platform = {
    version: '1',
    sandbox: false,
    studio,
    source: 'live',
    complete: true,
    read_at: '',
    unmeasured: [],
  };
  it('is named by its host, or as the sandbox', () => {
    expect(platformLabel(platform, false)).toEqual({
      dot: 'healthy',
      name: 'studio.platform.svc:8080',
      label: 'studio answers',
    });
    const timed = { ...platform, sandbox: true, studio: { ...studio, took_ms: 0.3 } };
    expect(platformLabel(timed, false)).toEqual({
      dot: 'healthy',
      name: 'Sandbox',
      label: 'studio answers, 1 ms',
    });
    expect(
      platformLabel({ ...platform, studio: { ...studio, upstream: 'not an address' } }, false).name,
    ).toBe('not an address');
    // As the console says it: a host and a port, which read as a URL of a scheme called like the host.
    const bare = { ...studio, upstream: 'studio.platform.svc.cluster.local:8080' };
    expect(platformLabel({ ...platform, studio: bare }, false).name).toBe(bare.upstream);
  });

  it('is never called well when it is not, or was not read', () => {
    expect(platformLabel({ ...platform, studio: { ...studio, state: 'unreachable' } }, false).dot).toBe(
      'failing',
    );
    expect(platformLabel(undefined, true)).toMatchObject({ dot: 'unknown', label: 'not read' });
  });
});

describe('coverage bars', () => {
  it('never round a missing read away', () => {
    expect(coverageBars(6, 7)).toEqual([true, true, true, true, true, true, false]);
    expect(coverageBars(99, 100).at(-1)).toBe(false);
    expect(coverageBars(100, 100)).toEqual(new Array(8).fill(true));
    expect(coverageBars(0, 0)).toEqual([false]);
  });
});

describe('a session', () => {
  it('says its program and system, or what it was told', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/152.0.0.0 Safari/537.36';
    expect(deviceLabel(chrome)).toBe('Chrome on Linux');
    expect(deviceLabel(`${chrome} Edg/152.0`)).toBe('Edge on Linux');
    expect(deviceLabel(`${chrome} Electron/45.4.1`)).toBe('Desktop window on Linux');
    expect(deviceLabel('my-script/1')).toBe('my-script/1');
    expect(deviceLabel(undefined)).toBe('Unknown');
  });

  it('of this window comes first, then the one seen last', () => {
    const session = (id: string, current: boolean, seen: string) => ({
      id,
      current,
      method: 'password' as const,
      created_at: seen,
      last_seen_at: seen,
      expires_at: seen,
    });
    const old = session('old', false, '2026-01-01T00:00:00Z');
    const late = session('late', false, '2026-01-03T00:00:00Z');
    const own = session('own', true, '2026-01-02T00:00:00Z');
    expect(inOrder([old, late, own]).map(({ id }) => id)).toEqual(['own', 'late', 'old']);
  });
});
