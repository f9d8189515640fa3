import { expect, it } from 'vitest';
import { newStoreKey, startedConsole } from '../../support/started-console.ts';

it('leaves nothing in the store that a console without the sandbox would serve: no run, no report, no command', async () => {
  const env = { CONSOLE_STORE_KEY: newStoreKey() };
  const paths = ['/api/devex?days=90', '/api/agent-runs', '/api/session-queue'];
  const sandbox = await startedConsole(env, { sandbox: true });
  await expect
    .poll(async () => (await sandbox.api('GET', '/api/devex?days=90')).body, { timeout: 30_000 })
    .toMatchObject({ repos: expect.arrayContaining([expect.any(String)]) });
  const queued = await sandbox.api('POST', '/api/session-queue', { command: 'look at the sandbox' });
  expect(queued.status).toBe(200);
  await sandbox.close(true);

  const alone = await startedConsole(env, { folder: sandbox.folder });
  try {
    const answers = await Promise.all(paths.map(async (path) => (await alone.api('GET', path)).body));
    const [devex, runs, queue] = answers;
    expect(devex).toMatchObject({ repos: [] });
    expect(runs).toMatchObject({ items: [] });
    expect(queue).toMatchObject({ items: [] });
  } finally {
    await alone.close();
  }
}, 90_000);
