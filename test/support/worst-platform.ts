import type { HarnessParts } from '../../src-main/features/intelligence/harness.ts';
import type { AnswerOf } from '../../src-main/features/intelligence/sources.ts';
import { allowlists } from '../../src-shared/api/route.ts';

const at = '2026-11-06T12:00:00.000Z';
const read = { source: 'test', complete: true, read_at: at, unmeasured: [] };
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

/** A platform on which everything that can be judged fails, in these namespaces. */
export function worstPlatform(namespaces: readonly string[]): HarnessParts {
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
        target: 'test',
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
    lastAttempts: async () => new Map(),
  };
}
