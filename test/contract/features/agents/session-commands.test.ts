import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionCommand } from '../../../../src-shared/api/agents.ts';
import { dialects } from '../../../support/databases.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const removers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removers.splice(0).reverse()) await remove();
});

type Answer = {
  status: number;
  body: { command?: SessionCommand; error?: string } & Partial<SessionCommand>;
};

const commands = '/api/session-commands';

const send = async (
  console_: TestConsole,
  cookie: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const answer = await request(`${console_.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { cookie, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as Answer['body'] };
};
const enqueue = (console_: TestConsole, cookie: string, command: string, path = commands) =>
  send(console_, cookie, path, { command });
const claim = (console_: TestConsole, cookie: string, wait?: number) =>
  send(console_, cookie, wait === undefined ? commands : `${commands}?wait=${wait}`);
const finish = (
  console_: TestConsole,
  cookie: string,
  id: string | undefined,
  output = '',
  status = 'done',
) => send(console_, cookie, `${commands}/${id}/result`, { status, output });
const queueOf = async (console_: TestConsole, cookie: string): Promise<SessionCommand[]> => {
  const answer = await request(`${console_.url}/api/session-queue`, { headers: { cookie } });
  return ((await answer.body.json()) as { items: SessionCommand[] }).items;
};

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<{ console_: TestConsole; cookie: string; other: string }> => {
    const { place, remove } = await dialect.place();
    removers.push(remove);
    const console_ = await testConsole({ CONSOLE_ADMIN_PASSWORD: 'p' }, { place });
    removers.push(() => console_.close());
    return {
      console_,
      cookie: await console_.cookie(),
      other: await console_.cookieOf('other@example.com'),
    };
  };
  describe.skipIf(dialect.missing !== undefined)(`session commands on ${dialect.name}${why}`, () => {
    it('are claimed in the order they were put in, one at a time, and take one result (CON-107, CON-108, RTE-025)', async () => {
      const { console_, cookie } = await open();
      for (const command of ['first', 'second'])
        expect((await enqueue(console_, cookie, command)).status).toBe(200);
      await enqueue(console_, cookie, 'third', '/api/session-queue');
      const { command } = (await claim(console_, cookie)).body;
      expect(command).toMatchObject({ command: 'first', state: 'claimed' });
      const done = await finish(console_, cookie, command?.id, 'ok\0done');
      expect([done.status, done.body]).toEqual([
        200,
        expect.objectContaining({ id: command?.id, state: 'done', output: 'ok\uFFFDdone' }),
      ]);
      expect((await claim(console_, cookie)).body.command?.command).toBe('second');
      const items = await queueOf(console_, cookie);
      expect(items.map((item) => [item.command, item.state])).toEqual([
        ['third', 'queued'],
        ['second', 'claimed'],
        ['first', 'done'],
      ]);
      const again = await finish(console_, cookie, command?.id, 'other', 'failed');
      expect([again.status, again.body.error]).toEqual([409, expect.stringContaining('already')]);
      expect((await queueOf(console_, cookie))[2]?.output).toBe('ok\uFFFDdone');
      const unclaimed = await finish(console_, cookie, items[0]?.id);
      expect([unclaimed.status, unclaimed.body.error]).toEqual([
        409,
        expect.stringContaining('claim it first'),
      ]);
    });

    it('belong to one person: nobody else sees, claims or ends them (CON-109)', async () => {
      const { console_, cookie, other } = await open();
      await enqueue(console_, cookie, 'mine');
      expect((await claim(console_, other)).body).toEqual({});
      expect(await queueOf(console_, other)).toEqual([]);
      const { command } = (await claim(console_, cookie)).body;
      expect((await finish(console_, other, command?.id)).status).toBe(404);
      for (const id of ['unknown', '..%2f'])
        expect([id, (await finish(console_, cookie, id)).status]).toEqual([id, 404]);
      expect((await finish(console_, cookie, '%00')).status).toBe(400);
      expect((await finish(console_, cookie, command?.id)).status).toBe(200);
    });

    it('go back to the queue 5 minutes after a claim without a result; a late result still counts (RTE-024)', async () => {
      const { console_, cookie } = await open();
      await enqueue(console_, cookie, 'work');
      const first = (await claim(console_, cookie)).body.command;
      console_.advance(5 * 60_000 - 2000);
      expect((await claim(console_, cookie)).body).toEqual({});
      console_.advance(2001);
      const [back] = await queueOf(console_, cookie);
      expect([back?.state, back?.claimed_at]).toEqual(['queued', undefined]);
      expect((await claim(console_, cookie)).body.command?.id).toBe(first?.id);
      expect((await claim(console_, cookie)).body).toEqual({});
      console_.advance(5 * 60_000 + 1);
      expect((await finish(console_, cookie, first?.id, 'late')).status).toBe(200);
      expect((await claim(console_, cookie)).body).toEqual({});
    });

    it('wait 100 at most for one person, however many enqueue at once', async () => {
      const { console_, cookie, other } = await open();
      const answers = await Promise.all(
        Array.from({ length: 120 }, (_, i) => enqueue(console_, cookie, `command ${i}`)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
      const refused = answers.filter(({ status }) => status === 429);
      expect([refused.length, refused[0]?.body.error]).toEqual([20, expect.stringContaining('100 commands')]);
      expect((await enqueue(console_, other, 'not full')).status).toBe(200);
      await claim(console_, cookie);
      expect((await enqueue(console_, cookie, 'room again')).status).toBe(200);
    });

    it('that are claimed and never reported make room for 200 unfinished at most', async () => {
      const { console_, cookie } = await open();
      for (let round = 0; round < 2; round += 1) {
        for (let i = 0; i < 100; i += 1) await enqueue(console_, cookie, `command ${i}`);
        const claims = await Promise.all(Array.from({ length: 100 }, () => claim(console_, cookie)));
        expect(claims.every(({ body }) => body.command !== undefined)).toBe(true);
      }
      const refused = await enqueue(console_, cookie, 'one more');
      expect([refused.status, refused.body.error]).toEqual([429, expect.stringContaining('no result yet')]);
    });

    it('are claimed once each under a storm of claimers, and none is lost (RTE-024)', async () => {
      const { console_, cookie } = await open();
      for (let i = 0; i < 20; i += 1) await enqueue(console_, cookie, `command ${i}`);
      const answers = await Promise.all(Array.from({ length: 60 }, () => claim(console_, cookie)));
      const claimed = answers.flatMap(({ body }) =>
        body.command === undefined ? [] : [body.command.command],
      );
      expect(claimed.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `command ${i}`).toSorted());
    });

    it('are waited for: an enqueue ends the wait at once, and a wait for nothing ends empty (CON-107)', async () => {
      const { console_, cookie } = await open();
      expect((await claim(console_, cookie, 1)).body).toEqual({});
      const waiting = claim(console_, cookie, 25);
      await sleep(100);
      await enqueue(console_, cookie, 'now');
      expect((await waiting).body.command?.command).toBe('now');
    });

    it('put in by another process are found while waiting', async () => {
      const { console_, cookie } = await open();
      const waiting = claim(console_, cookie, 25);
      await sleep(100);
      await enqueue(console_, cookie, 'to come');
      const mine = (await waiting).body.command;
      const again = claim(console_, cookie, 25);
      await sleep(100);
      // Nothing in this console hears of it, as if another console had done it.
      await console_.store.db
        .updateTable('session_commands')
        .set({ state: 'queued', claimed_at: null })
        .where('id', '=', mine?.id ?? '')
        .execute();
      expect((await again).body.command?.id).toBe(mine?.id);
    });

    it('are not taken by a waiter who has gone away', async () => {
      const { console_, cookie } = await open();
      const gone = new AbortController();
      const left = request(`${console_.url}${commands}?wait=25`, {
        headers: { cookie },
        signal: gone.signal,
      });
      await sleep(100);
      gone.abort();
      await expect(left).rejects.toThrow();
      await enqueue(console_, cookie, 'still here');
      expect((await claim(console_, cookie, 5)).body.command?.command).toBe('still here');
    });

    it('do not hold up a console that closes: waits end empty', async () => {
      const { place, remove } = await dialect.place();
      removers.push(remove);
      const console_ = await testConsole({}, { place });
      const cookie = await console_.cookie();
      const waiting = Array.from({ length: 5 }, () => claim(console_, cookie, 25));
      await sleep(200);
      await console_.close();
      expect((await Promise.all(waiting)).map(({ status, body }) => [status, body])).toEqual(
        Array.from({ length: 5 }, () => [200, {}]),
      );
    });

    it('are waited for by 100 at most for one person on one console', async () => {
      const { place, remove } = await dialect.place();
      removers.push(remove);
      const console_ = await testConsole({}, { place });
      const cookie = await console_.cookie();
      const other = await console_.cookieOf('other@example.com');
      const waiting = Array.from({ length: 101 }, () => claim(console_, cookie, 25));
      expect(await Promise.race(waiting)).toEqual({
        status: 429,
        body: { error: expect.stringContaining('agent sessions'), request_id: expect.any(String) },
      });
      expect((await claim(console_, cookie)).status).toBe(200);
      expect((await claim(console_, other, 1)).status).toBe(200);
      await console_.close();
      const statuses = (await Promise.all(waiting)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([...Array.from({ length: 100 }, () => 200), 429]);
    });

    it('are not claimed by a page that is opened, nor listed without a session', async () => {
      const { console_, cookie } = await open();
      await enqueue(console_, cookie, 'mine');
      const opened = await send(console_, cookie, commands, undefined, {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      });
      expect(opened.status).toBe(403);
      expect((await queueOf(console_, cookie))[0]?.state).toBe('queued');
      for (const path of [commands, '/api/session-queue'])
        expect((await send(console_, '', path)).status).toBe(401);
    });

    it('that are long finished are cleared away, and so are all but the last 100', async () => {
      const { console_, cookie } = await open();
      const workOff = async (name: string): Promise<void> => {
        await enqueue(console_, cookie, name);
        await finish(console_, cookie, (await claim(console_, cookie)).body.command?.id);
      };
      await workOff('old');
      console_.advance(30 * 24 * 3_600_000 + 1);
      const again = await console_.cookie();
      await enqueue(console_, again, 'waits');
      const count = async () =>
        (await console_.store.db.selectFrom('session_commands').select('command').execute()).map(
          (row) => row.command,
        );
      expect(await count()).toEqual(['waits']);
      await console_.store.db
        .insertInto('session_commands')
        .values(
          Array.from({ length: 150 }, (_, i) => ({
            id: `finished-${i}`,
            email: 'operator@console.localhost',
            position: 1000 + i,
            command: `finished ${i}`,
            state: 'done' as const,
            queued_at: Date.now() + 31 * 24 * 3_600_000,
            claimed_at: null,
            finished_at: Date.now() + 31 * 24 * 3_600_000,
            output: '',
          })),
        )
        .execute();
      await enqueue(console_, again, 'one more');
      const left = await count();
      expect(left).toHaveLength(102);
      expect(left).not.toContain('finished 49');
      expect(left).toContain('finished 50');
    });
  });
}
