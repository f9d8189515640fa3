// bench: a command enqueued on one console, claimed by a long poll on another, with notices and by polling (about 2 minutes)
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { request } from 'undici';
import { startPostgres } from '../support/postgres-server.ts';
import { type TestConsole, testConsole } from '../support/test-console.ts';
import { createRows, ms, percentile } from './rows.ts';

const { values } = parseArgs({ options: { commands: { type: 'string', default: '400' } } });
const count = Number(values.commands);
const budgetMs = 100;

const server = await startPostgres();
if ('missing' in server) {
  console.error(server.missing);
  process.exit(1);
}

async function call(console_: TestConsole, cookie: string, path: string, command?: string): Promise<unknown> {
  const { body } = await request(`${console_.url}${path}`, {
    method: command === undefined ? 'GET' : 'POST',
    headers: { cookie, ...(command === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(command === undefined ? {} : { body: JSON.stringify({ command }) }),
  });
  return body.json();
}

/** Times from the answer of the enqueue to that of the claim on the other console, in ms. */
async function measure(url: string, listens: boolean, most: number): Promise<number[]> {
  const env = listens ? { CONSOLE_DATABASE_LISTEN_URL: url } : {};
  const place = { kind: 'postgres', url } as const;
  const [one, two] = await Promise.all([testConsole(env, { place }), testConsole(env, { place })]);
  const cookie = await one.cookieOf('ann@example.com');
  await sleep(1_000);
  const times: number[] = [];
  for (let i = 0; i < most; i += 1) {
    const claim = call(two, cookie, '/api/session-commands?wait=10').then(() => performance.now());
    // The poll is waiting, and commands come at any moment between two polls of the database.
    await sleep(30 + ((i * 37) % 450));
    const began = performance.now();
    await call(one, cookie, '/api/session-commands', `command ${i}`);
    times.push((await claim) - began);
    await finishAll(url);
  }
  await one.close();
  await two.close();
  return times;
}

/** Results do not belong to the figure: the queue is emptied beside it. */
async function finishAll(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("update session_commands set state = 'done', finished_at = 0, output = ''");
  await client.end();
}

const rows = createRows();
try {
  const told = await measure(server.url, true, count);
  rows.row(
    'with notices, p50',
    ms(percentile(told, 0.5)),
    `${budgetMs} ms`,
    percentile(told, 0.5) <= budgetMs,
  );
  rows.row(
    'with notices, p99',
    ms(percentile(told, 0.99)),
    `${budgetMs} ms`,
    percentile(told, 0.99) <= budgetMs,
  );
  const polled = await measure(server.url, false, Math.min(count, 100));
  rows.row('by polling, p50', ms(percentile(polled, 0.5)), '600 ms', percentile(polled, 0.5) <= 600);
  rows.row('by polling, p99', ms(percentile(polled, 0.99)), '600 ms', percentile(polled, 0.99) <= 600);
} finally {
  server.stop();
}
process.exitCode = rows.allHold() ? 0 : 1;
