import { afterEach, describe, expect, it } from 'vitest';
import { type ConsoleTables, consoleMigrations } from '../../../../src-main/console/tables.ts';
import { checkDefinition } from '../../../../src-main/features/playbooks/check-definition.ts';
import {
  cancelRun,
  decideStep,
  progressOf,
  undoRun,
} from '../../../../src-main/features/playbooks/decisions.ts';
import { openPlaybooks, type PlaybooksParts } from '../../../../src-main/features/playbooks/playbooks.ts';
import { playbookHandlers } from '../../../../src-main/features/playbooks/routes.ts';
import { createRun, readRun } from '../../../../src-main/features/playbooks/runs.ts';
import { takeEvent } from '../../../../src-main/features/playbooks/triggers.ts';
import { noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { openStore, type Store } from '../../../../src-main/store/index.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { dialects } from '../../../support/databases.ts';
import { type FolderActs, folderActs, playbookParts } from '../../../support/playbook-parts.ts';

const restart = (name: string) =>
  `{ act: restart, object: { group: apps, kind: Deployment, namespace: shop, name: ${name} } }`;

const twoActs = `
name: two-acts
title: Two acts
steps:
  - { id: one, title: First, act: ${restart('web')}, compensate: undo }
  - { id: two, title: Second, act: ${restart('api')}, compensate: undo }
`;

for (const dialect of dialects) {
  const opened: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  const open = async (changed: Partial<PlaybooksParts> = {}, acts: FolderActs = folderActs()) => {
    const { place, remove } = await dialect.place();
    opened.push(remove);
    const store: Store<ConsoleTables> = await openStore({ location: place, migrations: consoleMigrations });
    opened.push(() => store.close());
    opened.push(() => acts.remove());
    const parts = playbookParts(store, acts, changed);
    const playbooks = openPlaybooks(parts);
    opened.push(() => playbooks.close());
    const run = (id: string) => readRun(store.db, id);
    return {
      store,
      acts,
      parts,
      playbooks,
      run,
      async start(text: string, inputs = {}) {
        const { definition, faults } = checkDefinition(text);
        if (definition === undefined) throw new Error(JSON.stringify(faults));
        const { id } = await createRun(
          store.db,
          {
            definition,
            text,
            inputs,
            target: 'test',
            rehearsal: false,
            by: 'ann@example.com',
            kind: 'person',
          },
          parts.now(),
        );
        playbooks.started();
        return id;
      },
      ended: (id: string) =>
        expect.poll(async () => (await run(id)).ended_at, { timeout: 10_000 }).not.toBeNull(),
      waits: (id: string, about: string) =>
        expect
          .poll(async () => progressOf(await run(id)).attempts.at(-1)?.waits_for, { timeout: 10_000 })
          .toBe(about),
      attempts: async (id: string) =>
        progressOf(await run(id)).attempts.map(({ step, state }) => `${step} ${state}`),
      decide: (id: string, seq: number, verdict: 'approve' | 'reject', by = 'bob@example.com', digest = '') =>
        decideStep(playbooks.decisions, { runId: id, seq, verdict, by, note: '', digest, confirm: '' }),
    };
  };

  describe.skipIf(dialect.missing !== undefined)(`a run of a playbook on ${dialect.name}`, () => {
    it('does its steps in order, each act once, and says how it ended', async () => {
      const { start, ended, run, acts, attempts, parts } = await open();
      const id = await start(twoActs);
      await ended(id);
      expect(await run(id)).toMatchObject({ state: 'succeeded', sentence: 'All 2 steps are done.' });
      expect(await attempts(id)).toEqual(['one done', 'two done']);
      expect(acts.done()).toEqual([`${id}/1 restart web`, `${id}/2 restart api`]);
      expect((parts as ReturnType<typeof playbookParts>).audited.map(({ action }) => action)).toEqual([
        'playbooks.end',
      ]);
    });

    it('asks for an approval where the guardrails say so, acts after it, and names who approved', async () => {
      const { start, ended, waits, acts, decide, attempts, run } = await open({
        decide: async (_name, actor) =>
          actor.kind === 'platform' && actor.approvedBy === undefined
            ? { verdict: 'ask', sentence: 'A person approves.' }
            : { verdict: 'allowed', sentence: 'Approved.' },
      });
      const id = await start(twoActs);
      await waits(id, 'approval');
      expect(acts.done()).toEqual([]);
      await expect(decide(id, 1, 'approve', 'bob@example.com', 'another act')).rejects.toThrow(/another one/);
      await decide(id, 1, 'approve', 'bob@example.com', 'restart Deployment web');
      await expect.poll(async () => (await attempts(id)).join(), { timeout: 5_000 }).toMatch(/two waiting/);
      expect(progressOf(await run(id)).attempts[0]?.decided_by).toBe('bob@example.com');
      await decide(id, 2, 'reject');
      await ended(id);
      expect(acts.done()).toEqual([`${id}/1 restart web`]);
      expect(await run(id)).toMatchObject({ state: 'failed' });
    });

    it('does nothing that the guardrails refuse, approved or not', async () => {
      const { start, ended, acts, run } = await open({
        decide: async () => ({ verdict: 'refused', sentence: 'Only people do that.' }),
      });
      const id = await start(twoActs);
      await ended(id);
      expect(acts.done()).toEqual([]);
      expect((await run(id)).sentence).toContain('Only people do that.');
    });

    it('is not approved by who started it where somebody else has to', async () => {
      const { start, waits, decide, ended, acts } = await open({ needsOther: async () => true });
      const id = await start(twoActs.split('  - { id: two')[0] ?? '');
      await waits(id, 'approval');
      const digest = 'restart Deployment web';
      await expect(decide(id, 1, 'approve', 'ann@example.com', digest)).rejects.toThrow(/somebody else/);
      await decide(id, 1, 'approve', 'bob@example.com', digest);
      await expect(decide(id, 1, 'reject', 'eve@example.com')).rejects.toThrow();
      await ended(id);
      expect(acts.done()).toHaveLength(1);
    });

    it('undoes what it did, the last act first, where a step says so', async () => {
      const acts = folderActs(undefined, {
        outcome: ({ object }) => (object.name === 'broken' ? 'failed' : 'done'),
      });
      const { start, ended, attempts, run } = await open({}, acts);
      const id = await start(
        `${twoActs}  - { id: three, title: Third, act: ${restart('broken')}, on_failure: compensate }\n`,
      );
      await ended(id);
      expect(await attempts(id)).toEqual([
        'one undone',
        'two undone',
        'three failed',
        'two done',
        'one done',
      ]);
      expect(acts.done().map((line) => line.split(' ')[2])).toEqual(['web', 'api', 'api', 'web']);
      expect((await run(id)).state).toBe('failed');
    });

    it('tries a step again as often as it may, and no more', async () => {
      const acts = folderActs(undefined, { outcome: () => 'failed' });
      const { start, ended, attempts, run } = await open({}, acts);
      const id = await start(`
name: retried
title: Retried
steps:
  - { id: one, title: First, act: ${restart('web')}, retry: { times: 2, every: 1s } }
`);
      await ended(id);
      expect(await attempts(id)).toEqual(['one failed', 'one failed', 'one failed']);
      expect((await run(id)).state).toBe('failed');
    });

    it('repeats steps within its bound', async () => {
      const { start, ended, acts, run } = await open();
      const id = await start(`
name: repeated
title: Repeated
steps:
  - { id: one, title: First, act: ${restart('web')} }
  - { id: two, title: Again, check: 'true', repeat: { from: one, until: 'false', most: 3 } }
`);
      await ended(id);
      expect(acts.done()).toHaveLength(4);
      expect(await run(id)).toMatchObject({ state: 'failed' });
      expect((await run(id)).sentence).toContain('repeated 3 times');
    });

    it('skips a step whose condition does not hold, and fills in what was given', async () => {
      const { start, ended, attempts, acts } = await open();
      const id = await start(
        `
name: filled
title: Filled
inputs: [{ name: deployment, title: Deployment, type: name }, { name: again, title: Again, type: boolean }]
steps:
  - { id: one, title: First, act: { act: restart, object: { group: apps, kind: Deployment, name: '\${input.deployment}' } } }
  - { id: two, title: Second, when: input.again, act: ${restart('web')} }
  - { id: three, title: Third, check: steps.one.state == "done" && steps.two.state == "skipped" }
`,
        { deployment: 'cart', again: 'false' },
      );
      await ended(id);
      expect(await attempts(id)).toEqual(['one done', 'two skipped', 'three done']);
      expect(acts.done()).toEqual([`${id}/1 restart cart`]);
    });

    it('cancelled, does not begin the next step, says what was done, and undoes it when asked', async () => {
      const { start, ended, waits, acts, run, playbooks, attempts } = await open();
      const id = await start(`
name: cancelled
title: Cancelled
steps:
  - { id: one, title: First, act: ${restart('web')} }
  - { id: two, title: Second, approval: { message: Go on? } }
  - { id: three, title: Third, act: ${restart('api')} }
`);
      await waits(id, 'approval');
      await cancelRun(playbooks.decisions, id, 'bob@example.com');
      await ended(id);
      expect(await run(id)).toMatchObject({
        state: 'cancelled',
        sentence: 'bob@example.com cancelled it. 1 step of 3 done.',
      });
      expect(acts.done()).toHaveLength(1);
      expect((await playbooks.showRun(id)).shown.undoable).toBe(1);
      await undoRun(playbooks.decisions, id, 'bob@example.com');
      await ended(id);
      expect(await attempts(id)).toEqual(['one undone', 'two cancelled', 'one done']);
      await expect(undoRun(playbooks.decisions, id, 'bob@example.com')).rejects.toThrow(/Nothing/);
    });

    it('puts a command into the queue of who started it, once, and goes on with its result', async () => {
      const { start, ended, waits, store, parts, run } = await open();
      const id = await start(`
name: commanded
title: Commanded
steps:
  - { id: one, title: First, command: { text: 'Say hello to \${run.started_by}' } }
`);
      await waits(id, 'command');
      const { createCommandQueue } = await import('../../../../src-main/features/agents/index.ts');
      const queue = createCommandQueue(() => store.db, parts.now);
      const [command, ...more] = await queue.list('ann@example.com');
      expect([command?.command, more.length]).toEqual(['Say hello to ann@example.com', 0]);
      await queue.claim('ann@example.com');
      await queue.finish('ann@example.com', command?.id ?? '', { status: 'done', output: 'Hello.' });
      parts.notices.publish('playbooks', id);
      await store.db.updateTable('playbook_runs').set({ wake_at: 0 }).where('id', '=', id).execute();
      await ended(id);
      expect(await run(id)).toMatchObject({ state: 'succeeded' });
    });

    it('dispatches an agent once, and goes on with its report (CON-145)', async () => {
      const cronJob = {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'investigator', namespace: 'agents', uid: 'u1' },
        spec: {
          schedule: '0 0 * * *',
          jobTemplate: { spec: { template: { spec: { containers: [{ name: 'main', image: 'agent' }] } } } },
        },
      };
      const seen: { act: string; args: unknown }[] = [];
      const acts = folderActs();
      const { start, ended, waits, playbooks, run, attempts } = await open(
        {
          targetOf: async (id) => ({
            id,
            cluster: {
              ...noCluster(Date.now),
              get: async () => ({ state: 'read', object: cronJob, readAt: Date.now() }),
            },
          }),
        },
        {
          ...acts,
          preview: (request, ...rest) => {
            seen.push(request);
            return acts.preview(request, ...rest);
          },
        },
      );
      const id = await start(`
name: dispatched
title: Dispatched
steps:
  - id: look
    title: Look
    dispatch: { namespace: agents, agent: investigator, instructions: 'Find out.', app: first }
  - { id: found, title: Found, check: steps.look.result.cause == "disk" }
`);
      await waits(id, 'report');
      expect(seen).toHaveLength(1);
      expect(seen[0]?.act).toBe('apply');
      const args = JSON.stringify(seen[0]?.args);
      for (const part of [id, 'PLAYBOOK_STEP', 'Find out.', 'uid: u1']) expect(args).toContain(part);
      const { 'playbooks.stepReport': take } = playbookHandlers(playbooks.triggers);
      const report = (app: string, body: object) =>
        take(
          {
            params: undefined,
            query: undefined,
            body: { run_id: id, step: 'look', attempt: 1, state: 'done', ...body },
          },
          { caller: { agent: { app, installation: 1 } } } as Call,
        );
      await expect(report('second', {})).rejects.toThrow(/No agent of this App/);
      await expect(report('first', { attempt: 2 })).rejects.toThrow(/No agent was dispatched/);
      expect(await report('first', { state: 'running', summary: 'Reading.' })).toMatchObject({
        created: true,
      });
      const final = { summary: 'The disk was full.', result: { cause: 'disk' } };
      expect(await report('first', final)).toMatchObject({ created: true });
      expect(await report('first', final)).toMatchObject({ created: false });
      await expect(report('first', { state: 'failed' })).rejects.toThrow(/first one counts/);
      await ended(id);
      expect(await attempts(id)).toEqual(['look done', 'found done']);
      expect(progressOf(await run(id)).attempts[0]?.sentence).toBe('The disk was full.');
      expect(acts.done()).toHaveLength(1);
    });

    it('is started once by an event that comes twice, and not by another type', async () => {
      const { playbooks, ended, acts } = await open();
      await playbooks.catalogue.save({
        text: `
name: on-event
title: On an event
inputs: [{ name: deployment, title: Deployment, type: name }]
start: { events: [{ type: rollout.failed, when: event.data.stage == "prod" }] }
steps:
  - id: one
    title: First
    act: { target: test, act: restart, object: { group: apps, kind: Deployment, name: '\${input.deployment}' } }
`,
        armed: true,
        revision: 0,
        by: 'ann@example.com',
      });
      const event = { id: 'e1', type: 'rollout.failed', data: { stage: 'prod', deployment: 'cart' } };
      const answers = await Promise.all([1, 2, 3].map(() => takeEvent(playbooks.triggers, 'first', event)));
      const runs = new Set(answers.flatMap((answer) => answer.runs.map(({ run_id }) => run_id)));
      expect(runs.size).toBe(1);
      expect(answers.filter(({ created }) => created)).toHaveLength(1);
      for (const data of [{ stage: 'dev' }, {}])
        expect(
          await takeEvent(playbooks.triggers, 'first', { ...event, id: JSON.stringify(data), data }),
        ).toMatchObject({ runs: [] });
      await ended([...runs][0] ?? '');
      expect(acts.done()).toHaveLength(1);
    });
  });
}
