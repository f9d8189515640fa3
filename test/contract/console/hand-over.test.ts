import { Client } from 'pg';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type Dialect, dialects } from '../../support/databases.ts';
import { sweepOf } from '../../support/sweeps.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const commands = sweepOf(10_000, 400);
const pollers = 64;
const people = 16;

const postgres = dialects.find(({ name }) => name === 'PostgreSQL') as Dialect;

const call = async (
  console_: TestConsole,
  cookie: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => {
  const answer = await request(`${console_.url}${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as { command?: { id: string } } };
};

describe.skipIf(postgres.missing !== undefined)('commands on two consoles over one PostgreSQL', () => {
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });

  const openTwo = async (listens: boolean) => {
    const { place } = await postgres.place();
    const url = place.kind === 'postgres' ? place.url : '';
    const env = listens ? { CONSOLE_DATABASE_LISTEN_URL: url } : {};
    const both = await Promise.all([testConsole(env, { place }), testConsole(env, { place })]);
    for (const each of both) opened.push(() => each.close());
    const admin = new Client({ connectionString: url });
    await admin.connect();
    opened.push(() => admin.end());
    const listening = async (): Promise<number> =>
      (
        await admin.query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name = 'operator-console listen' and query like 'listen%'",
        )
      ).rowCount ?? 0;
    return { one: both[0], two: both[1], admin, listening };
  };

  it('wake who waits on the other console before it would have polled', async () => {
    const { one, two, listening } = await openTwo(true);
    await expect.poll(listening).toBe(2);
    const cookie = await one.cookieOf('ann@example.com');
    for (let i = 0; i < 5; i += 1) {
      // While notices arrive the queue is polled each 5 s: within 3 s only a notice wakes.
      const claim = call(two, cookie, 'GET', '/api/session-commands?wait=3');
      const { body } = await call(one, cookie, 'POST', '/api/session-commands', { command: `command ${i}` });
      expect((await claim).body.command?.id).toBe((body as { id?: string }).id);
    }
  });

  it('are handed over without notices, too, and notices come back after their connection broke', async () => {
    const { one, two, admin, listening } = await openTwo(true);
    await expect.poll(listening).toBe(2);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'operator-console listen'",
    );
    const cookie = await one.cookieOf('ann@example.com');
    const claim = call(two, cookie, 'GET', '/api/session-commands?wait=10');
    await call(one, cookie, 'POST', '/api/session-commands', { command: 'while it is broken' });
    expect((await claim).body.command).toBeDefined();
    await expect.poll(listening, { timeout: 10_000 }).toBe(2);
  });

  it(`are claimed exactly once each: ${commands.toLocaleString('en')} commands, ${pollers} long-pollers`, async () => {
    const { one, two, listening } = await openTwo(true);
    await expect.poll(listening).toBe(2);
    const emails = Array.from({ length: people }, (_, i) => `person-${i}@example.com`);
    const cookies = await Promise.all(emails.map((email) => one.cookieOf(email)));
    const claimed: string[] = [];
    let done = false;
    const poll = async (i: number): Promise<void> => {
      const console_ = i % 2 === 0 ? one : two;
      const cookie = cookies[(i >> 1) % people] ?? '';
      while (!done) {
        const { status, body } = await call(console_, cookie, 'GET', '/api/session-commands?wait=2');
        expect(status).toBe(200);
        if (body.command === undefined) continue;
        claimed.push(body.command.id);
        const path = `/api/session-commands/${body.command.id}/result`;
        await call(i % 4 < 2 ? one : two, cookie, 'POST', path, { status: 'done', output: '' });
      }
    };
    const polls = Array.from({ length: pollers }, (_, i) => poll(i));
    const put: string[] = [];
    const enqueue = async (person: number): Promise<void> => {
      for (let i = person; i < commands; i += people) {
        const console_ = i % 3 === 0 ? one : two;
        for (;;) {
          const answer = await call(console_, cookies[person] ?? '', 'POST', '/api/session-commands', {
            command: `command ${i}`,
          });
          // A full queue: its sessions take some first.
          if (answer.status === 429) continue;
          expect(answer.status).toBe(200);
          put.push((answer.body as { id?: string }).id ?? '');
          break;
        }
      }
    };
    await Promise.all(emails.map((_, person) => enqueue(person)));
    await expect.poll(() => claimed.length, { timeout: 60_000 }).toBe(commands);
    done = true;
    await Promise.all(polls);
    expect(new Set(claimed).size).toBe(commands);
    expect([...claimed].sort()).toEqual([...put].sort());
  }, 600_000);
});
