import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AttemptState,
  PlaybookService,
  RunState,
  WaitsFor,
} from '../../../../src-shared/gen/platform/v1/playbook_pb.js';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type StartedConsole, startedConsole } from '../../../support/started-console.ts';

const text = (name: string, namespace: string) => `
name: rehearsed
title: Rehearsed
steps:
  - id: restart
    title: Restart it
    act:
      target: some-real-cluster
      act: restart
      object: { group: apps, version: v1, kind: Deployment, namespace: ${namespace}, name: ${name} }
  - { id: ask, title: Tell a session, command: { text: Say hello } }
`;

describe('a rehearsal', () => {
  let console_: StartedConsole;
  beforeAll(async () => {
    console_ = await startedConsole({}, { sandbox: true });
  }, 60_000);
  afterAll(() => console_?.close());

  it('acts on the sandbox through the acts registry, whatever target a step names, and sends no command', async () => {
    const { running, api } = console_;
    const link = new URL((await running.signInLink()) ?? '');
    const { headers } = await fetch(`${running.url}${link.pathname}${link.search}`, { redirect: 'manual' });
    const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const client = rpcClient(PlaybookService, running.url, { cookie });
    const listed = (await api('GET', '/api/objects?target=sandbox&group=apps&plural=deployments')).body as {
      items?: { name?: string; namespace?: string }[];
    };
    const first = listed.items?.[0];
    const { runId } = await client.rehearsePlaybook({
      text: text(first?.name ?? 'web', first?.namespace ?? 'default'),
    });
    const run = async () => (await client.getRun({ id: runId })).run;
    await expect
      .poll(async () => (await run())?.attempts[0]?.waitsFor, { timeout: 20_000 })
      .toBe(WaitsFor.APPROVAL);
    const waiting = (await run())?.attempts[0];
    expect(waiting?.changes.length).toBeGreaterThan(0);
    await client.approveStep({
      runId,
      seq: 1,
      actDigest: waiting?.actDigest ?? '',
      confirm: waiting?.confirm ?? '',
    });
    await expect.poll(async () => (await run())?.endedAt !== undefined, { timeout: 60_000 }).toBe(true);
    const ended = await run();
    expect([ended?.sentence, ended?.state]).toEqual(['All 2 steps are done.', RunState.SUCCEEDED]);
    expect(ended?.attempts.map(({ state }) => state)).toEqual([AttemptState.DONE, AttemptState.DONE]);
    expect(ended?.attempts[1]?.sentence).toContain('A rehearsal sends no command');
    const queue = (await api('GET', '/api/session-queue')).body as { items: unknown[] };
    expect(queue.items).toEqual([]);
    const history = (await api('GET', '/api/acts/history')).body as {
      items: { target: string; act: string }[];
    };
    expect(history.items.map(({ target, act }) => `${target} ${act}`)).toEqual(['sandbox restart']);
  }, 120_000);
});
