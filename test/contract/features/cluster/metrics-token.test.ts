import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const opened: TestConsole[] = [];
afterEach(async () => {
  for (const console of opened.splice(0)) await console.close();
});

const scrape = async (console: TestConsole, bearer?: string, path = '/api/metrics') => {
  const { statusCode, body } = await request(`${console.url}${path}`, {
    headers: {
      accept: 'text/plain; version=0.0.4',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
  });
  return { status: statusCode, text: await body.text() };
};

it('a scraper reads the metrics by CONSOLE_METRICS_TOKEN, and nothing else', async () => {
  const console = await testConsole({ CONSOLE_METRICS_TOKEN: 'metrics-token' });
  opened.push(console);
  const read = await scrape(console, 'metrics-token');
  expect([read.status, read.text]).toEqual([200, expect.stringContaining('console_requests_total')]);
  expect((await scrape(console, 'another-token')).status).toBe(401);
  expect((await scrape(console)).status).toBe(401);
  expect((await scrape(console, 'metrics-token', '/api/namespaces')).status).toBe(401);
});

it('while CONSOLE_METRICS_TOKEN is unset, no token opens the metrics', async () => {
  const console = await testConsole({});
  opened.push(console);
  for (const bearer of ['', 'undefined', 'metrics-token'])
    expect((await scrape(console, bearer)).status).toBe(401);
});
