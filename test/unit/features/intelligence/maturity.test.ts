import { expect, it } from 'vitest';
import { maturity } from '../../../../src-main/features/intelligence/maturity.ts';
import { measures } from '../../../../src-main/features/intelligence/measures.ts';
import type { AnswerOf, IntelligenceParts } from '../../../../src-main/features/intelligence/sources.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';

const at = '2026-11-06T12:00:00.000Z';
const read = { source: 'test', complete: true, read_at: at, unmeasured: [] };
type Namespace = AnswerOf<'estate.governance'>['namespaces'][number];
type Run = AnswerOf<'runs.list'>['items'][number];

const namespace = (name: string, closed: boolean, tenant?: string): Namespace => ({
  name,
  system: false,
  pod_security: { enforce: 'baseline' },
  network_policies: { count: 1, default_deny_ingress: closed },
  ...(tenant === undefined ? {} : { tenant }),
});
const run = (index: number, state: Run['state'], event: string): Run => ({
  id: `workflow:a:${index}`,
  kind: 'workflow',
  name: 'review',
  state,
  event,
  started: at,
});

type Changes = {
  readonly runs?: Partial<AnswerOf<'runs.list'>>;
  readonly governance?: Partial<AnswerOf<'estate.governance'>>;
  readonly devex?: Partial<AnswerOf<'delivery.devex'>>;
};

/** A platform of which all five dimensions are measured, but for the changes. */
function platform({ runs, governance, devex }: Changes = {}): IntelligenceParts {
  return {
    read: {
      'access.list': async () => ({ items: [] }),
      'fleet.agents': async () => ({ ...read, items: [], tiers: [] }),
      'settings.read': () => Promise.reject(new Error('not asked')),
      'runs.list': async () => ({
        ...read,
        items: [
          run(1, 'success', 'push'),
          run(2, 'success', 'schedule'),
          run(3, 'success', 'workflow_dispatch'),
          run(4, 'failure', 'pull_request'),
          run(5, 'success', 'pull_request'),
          run(6, 'running', 'push'),
          { id: 'app-agent:x', kind: 'app-agent', name: 'x', state: 'failure', started: at },
        ],
        counts: {},
        repos: [],
        ...runs,
      }),
      'estate.governance': async () => ({
        ...read,
        ownership: { namespaces: 0, owned: 0, unowned: [] },
        credentials: { connections: 0, kept_in_keychain: 0, kept_sealed: 0, incomplete: [] },
        namespaces: [
          namespace('a', true, 'acme'),
          namespace('b', false, 'acme'),
          namespace('c', true, 'acme'),
        ],
        ...governance,
      }),
      'delivery.devex': async () => ({
        ...read,
        window_days: 28,
        indicators: { change_failure_rate: { share: 0.3, sample: 10 } },
        samples: {
          lead_time: 0,
          deploy_frequency: 0,
          change_failure_rate: 10,
          time_to_restore: 0,
          flaky_rate: 0,
        },
        smallest_sample: 5,
        days: [],
        repos: [],
        ...devex,
      }),
    },
    auditVerdict: async () => ({ intact: true, checked: 0, head_kept_in: 'nowhere' }),
    authRequired: () => true,
    now: () => Date.parse(at),
  };
}
// None of these readers looks at its call.
const asked = { call: {} as Call, target: undefined };

it('the composite is the mean of the five shares when all five are measured (CON-136)', async () => {
  const { dimensions, composite, complete } = await maturity(platform(), asked);
  expect(Object.fromEntries(dimensions.map(({ name, share }) => [name, share]))).toEqual({
    delivery: { part: 7, whole: 10 },
    reliability: { part: 4, whole: 5 },
    security: { part: 2, whole: 3 },
    governance: { part: 3, whole: 3 },
    autonomy: { part: 5, whole: 6 },
  });
  // Of the common denominator 30: 21 + 24 + 20 + 30 + 25, over five.
  expect(composite).toBeCloseTo(120 / 150, 12);
  expect(complete).toBe(true);
});

it('the composite is gone as soon as any one dimension is unmeasured (CON-136)', async () => {
  const cases: [string[], Changes][] = [
    [['delivery'], { devex: { indicators: {} } }],
    [['reliability', 'autonomy'], { runs: { items: [] } }],
    [['security', 'governance'], { governance: { namespaces: [] } }],
    [['security', 'governance'], { governance: { complete: false } }],
    [['security', 'governance'], { governance: { source: 'unavailable' } }],
    [
      ['security'],
      { governance: { namespaces: [{ name: 'a', system: false, pod_security: { enforce: 'baseline' } }] } },
    ],
  ];
  for (const [expected, changes] of cases) {
    const { dimensions, composite } = await maturity(platform(changes), asked);
    const without = dimensions.filter(({ share }) => share === undefined).map(({ name }) => name);
    expect([without, composite]).toEqual([expected, undefined]);
  }
});

it('what was read in part only never passes, and still fails (CON-129)', async () => {
  const outcomeOf = async (id: string, changes: Changes) =>
    (await measures(platform(changes), asked)).categories.find((each) => each.id === id)?.outcome;
  expect(await outcomeOf('ownership', {})).toBe('pass');
  expect(await outcomeOf('ownership', { governance: { complete: false } })).toBe('unmeasured');
  const namespaces = [namespace('a', true)];
  expect(await outcomeOf('ownership', { governance: { complete: false, namespaces } })).toBe('fail');
  const succeeded = Array.from({ length: 9 }, (_, index) => run(index, 'success', 'push'));
  expect(await outcomeOf('runs', { runs: { items: succeeded } })).toBe('pass');
  expect(await outcomeOf('runs', { runs: { items: succeeded, complete: false } })).toBe('unmeasured');
  expect(await outcomeOf('runs', { runs: { items: succeeded, next_cursor: 'more' } })).toBe('unmeasured');
  expect(await outcomeOf('runs', {})).toBe('fail');
  expect(
    await outcomeOf('delivery', {
      devex: { indicators: { change_failure_rate: { share: 0.15, sample: 20 } } },
    }),
  ).toBe('pass');
  expect(await outcomeOf('delivery', {})).toBe('fail');
  // A trail without a record is no evidence of an intact one.
  expect(await outcomeOf('audit-chain', {})).toBe('unmeasured');
});
