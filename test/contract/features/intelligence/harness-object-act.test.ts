import { afterEach, expect, it } from 'vitest';
import {
  type ActingParts,
  actOnFinding,
  type FindingActs,
} from '../../../../src-main/features/intelligence/act-on-finding.ts';
import { harness } from '../../../../src-main/features/intelligence/harness.ts';
import {
  type HarnessTables,
  harnessMigrations,
  lastAttempts,
} from '../../../../src-main/features/intelligence/store.ts';
import { openStore, type Store } from '../../../../src-main/store/index.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { worstPlatform } from '../../../support/worst-platform.ts';

const stores: Store<HarnessTables>[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/** Acts that keep outcomes by key, as the registry does; `ends` may break off after an act was carried out. */
function countedActs(ends: () => void = () => undefined, allowed = true) {
  const done = new Map<string, number>();
  const acts: FindingActs = {
    preview: async () => ({
      digest: 'd1',
      allowed,
      ...(allowed ? {} : { reason: 'The target is read only.' }),
      sentence: '',
      class: 'workloads',
      resource_version: '1',
      judged_by: 'server',
      diff: [],
      owners: [],
      effects: [],
      warnings: [],
      protected: false,
    }),
    async perform({ key, act, object }) {
      if (!done.has(key)) done.set(key, done.size + 1);
      ends();
      return {
        state: 'done',
        sentence: `${act} of ${object.name} took effect.`,
        act_id: `a-${done.get(key)}`,
      };
    },
  };
  return { acts, done };
}

async function open(acts: FindingActs) {
  const store = await openStore<HarnessTables>({
    location: { kind: 'sqlite', file: ':memory:', encryption: 'none' },
    migrations: harnessMigrations,
  });
  stores.push(store);
  const order: string[] = [];
  const acting: ActingParts = {
    harnessDb: () => store.db,
    acts: {
      ...acts,
      perform(...given) {
        order.push('act');
        return acts.perform(...given);
      },
    },
    audit: {
      begin: async ({ action }) => ({
        record: () => undefined,
        success: async () => void order.push(`${action} recorded`),
        fail: async () => void order.push(`${action} failed`),
        refuse: async () => void order.push(`${action} refused`),
      }),
    },
    commands: { enqueue: () => Promise.reject(new Error('not here')), find: async () => undefined },
    decide: async () => ({ verdict: 'allowed', sentence: '' }),
  };
  const { acts: _none, ...platform } = worstPlatform(['lab']);
  const parts = {
    ...platform,
    ...acting,
    lastAttempts: (revisions: readonly string[]) => lastAttempts(store.db, revisions),
  };
  // What of a call is used here.
  const call = (email: string) =>
    ({ caller: { email }, record: () => undefined, signal: new AbortController().signal }) as unknown as Call;
  const found = (await harness(parts, { call: call('ada'), target: undefined })).items.find(
    ({ id }) => id === 'agents',
  );
  const act = (email = 'ada', digest?: string) =>
    actOnFinding(
      parts,
      { call: call(email), target: undefined },
      { params: { id: 'agents' }, query: {}, body: { revision: found?.revision ?? '', digest } },
    );
  return { act, found, order };
}

it('runs the failing agent once, recorded before, and answers the kept outcome afterwards (CON-127)', async () => {
  const { acts, done } = countedActs();
  const { act, found, order } = await open(acts);
  expect(found?.action).toMatchObject({
    title: 'Run doctor now',
    request: { target: 'test', act: 'run_cron_job', object: { kind: 'CronJob', name: 'doctor' } },
  });
  expect(await act()).toMatchObject({ state: 'done', ref: 'a-1', repeated: false });
  expect(order).toEqual(['harness.begin recorded', 'act']);
  expect(await act('grace')).toMatchObject({ state: 'done', by: 'ada', ref: 'a-1', repeated: true });
  expect(done.size).toBe(1);
});

it('goes on under the same key where the console broke off after the act', async () => {
  let breaks = true;
  const { acts, done } = countedActs(() => {
    if (breaks) throw new Error('the console was killed');
  });
  const { act } = await open(acts);
  await expect(act()).rejects.toThrow('killed');
  breaks = false;
  expect(await act('grace')).toMatchObject({ state: 'done', by: 'ada', attempt: 1, repeated: false });
  expect(done.size).toBe(1);
});

it('does nothing where the act is not allowed or the object changed, and may be asked again then', async () => {
  const refused = countedActs(undefined, false);
  const { act, order } = await open(refused.acts);
  await expect(act()).rejects.toThrow('The target is read only. Nothing was done.');
  await expect(act('ada', 'd0')).rejects.toThrow('has changed since it was shown');
  expect([refused.done.size, order.includes('act')]).toEqual([0, false]);
});
