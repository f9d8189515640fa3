import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { formatPrometheus } from '../../../src-main/features/cluster/prometheus-text.ts';
import { repoRoot } from '../../support/repo-root.ts';

const rulesFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string().min(10), action: z.string().min(10) }),
        }),
      ),
    }),
  ),
});
const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8');

/** Every metric that the console can answer. */
function metrics(): string[] {
  const resources = { cpu_cores: 1, memory_bytes: 1 };
  const text = formatPrometheus({
    process: {
      rss_bytes: 1,
      heap_used_bytes: 1,
      heap_total_bytes: 1,
      event_loop_p99_ms: 1,
      open_streams: 1,
      requests: 1,
      uptime_seconds: 1,
    },
    workloads: [
      {
        kind: 'Deployment',
        name: 'web',
        namespace: 'shop',
        ...resources,
        requests: resources,
        limits: resources,
      },
    ],
    source: 'kubernetes',
    complete: true,
    read_at: '2026-11-23T12:00:00.000Z',
    unmeasured: [],
  });
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
}

it('the alert rules that ship are rules, on metrics that the console answers', () => {
  const { groups } = rulesFile.parse(parse(read('docs/observability/alerts.yaml')));
  const known = new Set([...metrics(), 'up']);
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(3);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, expr } of rules) {
    const named = expr.match(/\b(?:up|process_\w+|console_\w+)\b/g) ?? [];
    expect([alert, named.length > 0, named.filter((name) => !known.has(name))]).toEqual([alert, true, []]);
  }
});

it('the page names every metric', () => {
  const page = read('docs/observability.md');
  expect(metrics().filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
