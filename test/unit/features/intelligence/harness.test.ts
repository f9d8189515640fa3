import { expect, it } from 'vitest';
import { harness } from '../../../../src-main/features/intelligence/harness.ts';
import type { AnswerOf, IntelligenceParts } from '../../../../src-main/features/intelligence/sources.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { intelligenceRoutes } from '../../../../src-shared/api/intelligence.ts';
import { allowlists } from '../../../../src-shared/api/route.ts';

const at = '2026-11-06T12:00:00.000Z';
const read = { source: 'test', complete: true, read_at: at, unmeasured: [] };
const route = intelligenceRoutes.find(({ id }) => id === 'intelligence.harness');
const publicUrl = {
  name: 'CONSOLE_PUBLIC_URL',
  label: '',
  type: 'url',
  sentence: '',
  value: 'http://console.example',
  source: 'env',
  settable: false,
  live: false,
} as const;

/** A platform on which everything that can be judged fails. */
function worst(namespaces: readonly string[]): IntelligenceParts {
  const failed = (index: number): AnswerOf<'runs.list'>['items'][number] => ({
    id: `session:a:${index}`,
    kind: 'session',
    name: 'review',
    state: 'failure',
    started: at,
  });
  return {
    read: {
      'access.list': async () => ({
        items: allowlists.map((name) => ({
          name,
          configured: false,
          rule_when_unset: 'nobody' as const,
          member: false,
          guards: '',
        })),
      }),
      'fleet.agents': async () => ({
        ...read,
        items: [
          {
            name: 'doctor',
            workload: { kind: 'CronJob', name: 'doctor', namespace: 'agents' },
            enabled: true,
            state: 'failing',
          },
        ],
        tiers: [],
      }),
      'settings.read': async () => ({
        settings: [publicUrl],
        keys: [],
        keychain: { state: 'off', detail: '' },
        store: { kind: 'sqlite', place: '', encrypted: false, key_source: 'file' },
        file: '',
      }),
      'runs.list': async () => ({ ...read, items: [1, 2, 3, 4, 5].map(failed), counts: {}, repos: [] }),
      'estate.governance': async () => ({
        ...read,
        ownership: { namespaces: 0, owned: 0, unowned: [] },
        credentials: {
          connections: 1,
          kept_in_keychain: 0,
          kept_sealed: 0,
          incomplete: [{ connection: 'orders', tenant: 'acme', missing: ['password'] }],
        },
        namespaces: namespaces.map((name) => ({
          name,
          system: false,
          quotas: 0,
          network_policies: { count: 0, default_deny_ingress: false },
          pod_security: { enforce: 'none' as const },
          workloads: { count: 1, default_service_account: 1 },
        })),
      }),
      'delivery.devex': async () => ({
        ...read,
        window_days: 28,
        indicators: { change_failure_rate: { share: 1, sample: 10 } },
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
      }),
    },
    auditVerdict: async () => ({ intact: false, checked: 3, head_kept_in: 'nowhere' }),
    authRequired: () => false,
    now: () => Date.parse(at),
  };
}
// None of these readers looks at its call.
const asked = { call: {} as Call, target: undefined };

it('every finding there can be has a next step and evidence (CON-126)', async () => {
  const { items, ...reading } = await harness(worst(['lab']), asked);
  expect(items.map(({ id }) => id)).toEqual([
    'audit-chain',
    'sign-in',
    'store-encryption',
    'transport',
    'agents',
    'audit-head',
    'credentials',
    'default-deny',
    'delivery',
    'ownership',
    'pod-security',
    'quotas',
    'runs',
    'service-accounts',
    'store-key',
    'allowlist-console-agent-admins',
    'allowlist-console-connection-admins',
    'allowlist-console-session-admins',
  ]);
  // The contract refuses an empty next step and a finding without evidence.
  expect(route?.answer.safeParse({ items, ...reading }).error).toBeUndefined();
});

it('the revision of a finding changes with what was found, and of no other finding (CON-126)', async () => {
  const revisions = async (names: readonly string[]) =>
    new Map((await harness(worst(names), asked)).items.map(({ id, revision }) => [id, revision]));
  const [one, same, two] = [await revisions(['lab']), await revisions(['lab']), await revisions(['shop'])];
  expect(same).toEqual(one);
  const changed = [...one.keys()].filter((id) => one.get(id) !== two.get(id));
  expect(changed.sort()).toEqual(['default-deny', 'ownership', 'pod-security', 'quotas', 'service-accounts']);
});
