import { Code } from '@connectrpc/connect';
import { afterEach, describe, expect, it } from 'vitest';
import { PlaybookService, RunState, WaitsFor } from '../../../../src-shared/gen/platform/v1/playbook_pb.js';
import { ResolveService } from '../../../../src-shared/gen/platform/v1/resolve_pb.js';
import { dialects } from '../../../support/databases.ts';
import { report } from '../../../support/report-doors.ts';
import { codeOf, rpcClient } from '../../../support/rpc-client.ts';
import type { TestConsole } from '../../../support/test-console.ts';
import { testConsole } from '../../../support/test-console.ts';

const admin = 'admin@example.com';

const asking = `
name: asking
title: Asking
inputs: [{ name: what, title: What }]
start: { events: [{ type: rollout.failed }] }
steps:
  - { id: ask, title: Ask, approval: { message: 'Go on with \${input.what}?' } }
  - { id: check, title: Check, check: input.what == "cart" }
`;

for (const dialect of dialects) {
  describe.skipIf(dialect.missing !== undefined)(`playbooks on ${dialect.name}`, () => {
    const opened: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of opened.splice(0).reverse()) await close();
    });

    const open = async (): Promise<TestConsole> => {
      const { place, remove } = await dialect.place();
      const console_ = await testConsole(
        { CONSOLE_SESSION_ADMINS: admin, CONSOLE_CLUSTER_ADMINS: `${admin},two@example.com` },
        {
          place,
          agentTokens: {
            'first-app': { app: 'first', installation: 1 },
            'second-app': { app: 'second', installation: 2 },
          },
        },
      );
      opened.push(async () => {
        await console_.close();
        remove();
      });
      return console_;
    };
    const clientOf = async (console_: TestConsole, email = admin) =>
      rpcClient(PlaybookService, console_.url, { cookie: await console_.cookieOf(email) });

    it('are listed, saved, started, watched and approved through PlaybookService (CON-156)', async () => {
      const console_ = await open();
      const client = await clientOf(console_);
      const { playbooks } = await client.listPlaybooks({});
      expect(playbooks.filter(({ shipped }) => shipped)).toHaveLength(6);
      expect(playbooks.every(({ steps, armed }) => steps.length > 0 && !armed)).toBe(true);

      const { playbook } = await client.savePlaybook({ text: asking, armed: false, revision: 0n });
      expect(playbook).toMatchObject({ name: 'asking', revision: 1n, shipped: false });
      expect((await client.getPlaybook({ name: 'asking' })).text).toBe(asking);
      expect(await codeOf(client.savePlaybook({ text: asking, armed: true, revision: 0n }))).toBe(
        Code.Aborted,
      );

      const start = { name: 'asking', inputs: { what: 'cart' }, key: 'once' };
      const { runId } = await client.startPlaybook(start);
      expect((await client.startPlaybook(start)).runId).toBe(runId);
      const seen: string[] = [];
      for await (const { run } of client.watchRun({ id: runId })) {
        const last = run?.attempts.at(-1);
        seen.push(`${run?.state} ${last?.step ?? ''}`);
        if (last?.waitsFor === WaitsFor.APPROVAL && last.step === 'ask' && last.decidedBy === '') {
          expect(last.sentence).toBe('Go on with cart?');
          await client.approveStep({ runId, seq: last.seq, note: 'Yes.' }).catch(() => undefined);
        }
      }
      expect(seen.at(-1)).toBe(`${RunState.SUCCEEDED} check`);
      const { run } = await client.getRun({ id: runId });
      expect(run?.attempts[0]).toMatchObject({ decidedBy: admin, note: 'Yes.' });
      expect(run?.digest).toBe(playbook?.digest);
      expect((await client.listRuns({})).runs.map(({ id }) => id)).toEqual([runId]);
      expect(await codeOf(client.cancelRun({ id: runId }))).toBe(Code.FailedPrecondition);
    });

    it('keep to the definition that a run was started with', async () => {
      const console_ = await open();
      const client = await clientOf(console_);
      await client.savePlaybook({ text: asking, armed: false, revision: 0n });
      const { runId } = await client.startPlaybook({ name: 'asking', inputs: { what: 'cart' } });
      await client.savePlaybook({
        text: asking.replace('input.what == "cart"', 'input.what == "none"'),
        armed: false,
        revision: 1n,
      });
      await expect
        .poll(async () => (await client.getRun({ id: runId })).run?.attempts[0]?.waitsFor)
        .toBe(WaitsFor.APPROVAL);
      await client.approveStep({ runId, seq: 1 });
      await expect.poll(async () => (await client.getRun({ id: runId })).run?.state).toBe(RunState.SUCCEEDED);
    });

    it('are saved by session admins, started and decided by cluster admins, and read by whoever may read', async () => {
      const console_ = await open();
      await (await clientOf(console_)).savePlaybook({ text: asking, armed: false, revision: 0n });
      const [two, other] = [
        await clientOf(console_, 'two@example.com'),
        await clientOf(console_, 'x@example.com'),
      ];
      const nobody = rpcClient(PlaybookService, console_.url);
      expect(await codeOf(two.savePlaybook({ text: asking, revision: 1n }))).toBe(Code.PermissionDenied);
      expect(await codeOf(other.startPlaybook({ name: 'asking', inputs: { what: 'cart' } }))).toBe(
        Code.PermissionDenied,
      );
      expect(await codeOf(nobody.listPlaybooks({}))).toBe(Code.Unauthenticated);
      const { runId } = await two.startPlaybook({ name: 'asking', inputs: { what: 'cart' } });
      for (const call of [
        () => other.approveStep({ runId, seq: 1 }),
        () => other.rejectStep({ runId, seq: 1 }),
        () => other.cancelRun({ id: runId }),
        () => other.undoRun({ id: runId }),
        () => other.rehearsePlaybook({ text: asking }),
      ])
        expect(await codeOf(call())).toBe(Code.PermissionDenied);
      expect((await other.getRun({ id: runId })).run?.startedBy).toBe('two@example.com');
      await two.cancelRun({ id: runId });
      await expect.poll(async () => (await two.getRun({ id: runId })).run?.state).toBe(RunState.CANCELLED);
    });

    it('are answered by ResolveService, too, which says that it is deprecated (CON-157, CON-203)', async () => {
      const console_ = await open();
      const headers = new Headers();
      const client = rpcClient(ResolveService, console_.url, { cookie: await console_.cookieOf(admin) });
      const { playbooks } = await client.listPlaybooks(
        {},
        {
          onHeader: (given) => {
            for (const [name, value] of given) headers.set(name, value);
          },
        },
      );
      expect(playbooks).toHaveLength(6);
      expect(headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(headers.get('sunset')).toContain('2027');
      expect(headers.get('link')).toContain('/platform.v1.PlaybookService');
      expect(Object.keys(ResolveService.method)).toEqual(Object.keys(PlaybookService.method));
      expect(ResolveService.proto.options?.deprecated).toBe(true);
    });

    it('say what is wrong with a definition, and where', async () => {
      const console_ = await open();
      const client = await clientOf(console_);
      expect((await client.checkPlaybook({ text: asking })).faults).toEqual([]);
      const wrong = asking.replace('input.what ==', 'inputs.what ==').replace('title: Ask,', 'titel: Ask,');
      const { faults, playbook } = await client.checkPlaybook({ text: wrong });
      expect(playbook).toBeUndefined();
      expect(faults.length).toBeGreaterThan(0);
      expect(faults[0]).toMatchObject({ line: 7, path: expect.stringMatching(/^steps\.0/) });
      expect(await codeOf(client.savePlaybook({ text: wrong }))).toBe(Code.InvalidArgument);
    });

    it('are started once by an event that an agent raises, on every path it comes (CON-146, CON-179)', async () => {
      const console_ = await open();
      const client = await clientOf(console_);
      const event = { id: 'e1', type: 'rollout.failed', data: { what: 'cart' } };
      const raise = (bearer: string, body: unknown) => report(console_, '/api/playbook-events', bearer, body);
      expect((await raise('first-app', event)).body).toEqual({ created: true, runs: [] });
      await client.savePlaybook({ text: asking, armed: true, revision: 0n });
      const body = { ...event, id: 'e2' };
      const answers = await Promise.all([1, 2, 3, 4].map(() => raise('first-app', body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const { runs } = await client.listRuns({});
      expect(runs).toHaveLength(1);
      expect(runs[0]).toMatchObject({ startedBy: 'first', startedKind: 'event', inputs: { what: 'cart' } });
      expect((await raise('second-app', body)).body).toMatchObject({ created: true });
      expect((await client.listRuns({})).runs).toHaveLength(2);
      expect((await raise('nobody', body)).status).toBe(401);
      expect((await raise('first-app', { ...body, type: 'run.failed' })).status).toBe(409);
    });

    it('take no report of a step that nobody was dispatched for (CON-145)', async () => {
      const console_ = await open();
      const client = await clientOf(console_);
      await client.savePlaybook({ text: asking, armed: false, revision: 0n });
      const { runId } = await client.startPlaybook({ name: 'asking', inputs: { what: 'cart' } });
      const given = { run_id: runId, step: 'ask', attempt: 1, state: 'done' };
      const send = (body: object, bearer = 'first-app') =>
        report(console_, '/api/playbook-runs/step-report', bearer, body);
      expect((await send(given)).status).toBe(404);
      expect((await send({ ...given, run_id: 'none' })).status).toBe(404);
      expect((await send({ ...given, state: 'approved' })).status).toBe(400);
      expect((await send(given, 'nobody')).status).toBe(401);
    });
  });
}
