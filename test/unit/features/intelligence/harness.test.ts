import { expect, it } from 'vitest';
import { harness } from '../../../../src-main/features/intelligence/harness.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { intelligenceRoutes } from '../../../../src-shared/api/intelligence.ts';
import { worstPlatform } from '../../../support/worst-platform.ts';

const route = intelligenceRoutes.find(({ id }) => id === 'intelligence.harness');
// None of these readers looks at its call.
const asked = { call: {} as Call, target: undefined };

it('every finding there can be has a next step and evidence (CON-126)', async () => {
  const { items, ...reading } = await harness(worstPlatform(['lab']), asked);
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
    'allowlist-console-cluster-admins',
    'allowlist-console-connection-admins',
    'allowlist-console-session-admins',
  ]);
  // The contract refuses an empty next step and a finding without evidence.
  expect(route?.answer.safeParse({ items, ...reading }).error).toBeUndefined();
});

it('the revision of a finding changes with what was found, and of no other finding (CON-126)', async () => {
  const revisions = async (names: readonly string[]) =>
    new Map((await harness(worstPlatform(names), asked)).items.map(({ id, revision }) => [id, revision]));
  const [one, same, two] = [await revisions(['lab']), await revisions(['lab']), await revisions(['shop'])];
  expect(same).toEqual(one);
  const changed = [...one.keys()].filter((id) => one.get(id) !== two.get(id));
  expect(changed.sort()).toEqual(['default-deny', 'ownership', 'pod-security', 'quotas', 'service-accounts']);
});
