import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src-main/config/index.ts';
import { startSandbox } from '../../../src-main/sandbox/index.ts';
import { seededWorld } from '../../support/code-host.ts';

describe('the seeded estate', () => {
  const at = Date.UTC(2026, 10, 21, 10);
  const estate = seededWorld(at);
  const own = estate.organisations[0]?.repositories ?? [];

  it('is the same at each start but for its times', () => {
    const later = seededWorld(at + 3_600_000).organisations[0]?.repositories ?? [];
    const ids = (repositories: typeof own) =>
      repositories.map(({ id, commits, issues }) => [id, commits.map(({ sha }) => sha), issues.length]);
    expect(ids(later)).toEqual(ids(own));
  });

  it('has apps in each state, and platform repositories with runs of each kind and end', () => {
    const apps = own.filter(({ topics }) => topics.includes('studio-app'));
    expect(apps).toHaveLength(14);
    expect(new Set(apps.map(({ statuses }) => statuses[0]?.state))).toEqual(
      new Set(['success', 'failure', 'error', 'pending', undefined]),
    );
    const jobs = apps.map(({ issues }) => issues.length);
    expect([jobs.includes(0), jobs.includes(1), jobs.includes(3)]).toEqual([true, true, true]);
    const runs = own.flatMap((entry) => entry.runs);
    expect(new Set(runs.map(({ status: state, conclusion }) => conclusion ?? state))).toEqual(
      new Set(['success', 'failure', 'cancelled', 'timed_out', 'in_progress', 'queued', 'waiting']),
    );
    expect(runs.some(({ attempt }) => attempt === 2)).toBe(true);
    expect(runs.some(({ jobs: list }) => list.some(({ log }) => log?.lines === 200_000))).toBe(true);
    expect(new Set(runs.map(({ path }) => /(review|governance|agent)-/.exec(path)?.[1]))).toEqual(
      new Set(['review', 'governance', 'agent', undefined]),
    );
  });

  it('names each run, job, check suite and commit once', () => {
    const runs = own.flatMap((entry) => entry.runs);
    const jobs = runs.flatMap((entry) => entry.jobs);
    const once = (ids: readonly (number | string)[]): void => expect(new Set(ids).size).toBe(ids.length);
    once(runs.map(({ id }) => id));
    once(runs.map(({ checkSuite }) => checkSuite));
    once(jobs.map(({ id }) => id));
    once(own.flatMap(({ commits }) => commits.map(({ sha }) => sha)));
    for (const { runs: list, commits } of own) {
      const known = new Set(commits.map(({ sha }) => sha));
      expect(list.filter(({ sha }) => !known.has(sha))).toEqual([]);
    }
  });

  it.each(Array.from({ length: 8 }, (_, index) => at + index * 27 * 3_600_000))(
    'has nothing in the future and no end before its beginning, started at %i',
    (now) => {
      const repositories = seededWorld(now).organisations[0]?.repositories ?? [];
      const runs = repositories.flatMap((entry) => entry.runs);
      const times = [
        ...runs.flatMap(({ createdAt, startedAt, updatedAt }) => [createdAt, startedAt, updatedAt]),
        ...repositories.flatMap(({ commits, pulls }) => [
          ...commits.map((entry) => entry.at),
          ...pulls.flatMap(({ comments, reviews }) => [...comments, ...reviews].map((entry) => entry.at)),
        ]),
      ];
      expect(times.filter((time) => time > now)).toEqual([]);
      expect(runs.filter((entry) => entry.updatedAt < entry.startedAt)).toEqual([]);
      expect(runs.filter((entry) => entry.startedAt < entry.createdAt)).toEqual([]);
    },
  );
});

describe('the sandbox beside a console', () => {
  const servers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const log = pino({ level: 'silent' });
  let folder: string;
  let before: number;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    before = servers();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('tells the console of its code host and its registry, and leaves nothing open', async () => {
    const env = { CONSOLE_DATA_DIR: join(folder, 'whole') };
    const whole = await startSandbox({ config: readConfig(env), env, log, admin: true });
    const config = readConfig({ ...env, ...whole.env });
    expect(config.codeHost).toMatchObject({
      appId: expect.stringMatching(/^\d+$/),
      installationId: expect.any(Number),
    });
    expect(config.registry).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await fetch(`http://${config.registry}/v2/`)).status).toBe(401);
    expect((await fetch(new URL('/app', config.codeHost.apiUrl))).status).toBe(401);
    await whole.close();
    await expect.poll(servers).toBe(before);
  });

  it("leaves the operator's own App alone", async () => {
    const env = { CONSOLE_DATA_DIR: join(folder, 'own'), CONSOLE_GITHUB_APP_ID: '4711' };
    const own = await startSandbox({ config: readConfig(env), env, log, admin: true });
    await own.close();
    expect(Object.keys(own.env).filter((name) => /GITHUB|REGISTRY/.test(name))).toEqual([]);
  });

  it('leaves nothing open when one part does not start', async () => {
    const env = { CONSOLE_DATA_DIR: join(folder, 'broken') };
    mkdirSync(env.CONSOLE_DATA_DIR);
    writeFileSync(join(env.CONSOLE_DATA_DIR, 'sandbox'), 'not a folder');
    await expect(startSandbox({ config: readConfig(env), env, log, admin: true })).rejects.toThrow();
    await expect.poll(servers).toBe(before);
  });
});
