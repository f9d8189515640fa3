import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../../src-main/config/index.ts';
import { startSandboxCodeHost } from '../../../src-main/sandbox/code-host/index.ts';
import { pushedImage } from '../../../src-main/sandbox/index.ts';
import type { RouteOf } from '../../../src-shared/api/index.ts';
import { routeTable } from '../../../src-shared/api/index.ts';
import type { RouteAnswer } from '../../../src-shared/api/route.ts';
import { type StartedConsole, startedConsole } from '../../support/started-console.ts';

type Lineage = RouteAnswer<RouteOf<'delivery.lineage'>>;

describe('the lineage of the sandbox, as its console answers it', () => {
  let console_: StartedConsole;
  let lineage: Lineage;
  beforeAll(async () => {
    console_ = await startedConsole({}, { sandbox: true });
    const route = routeTable.find(({ id }) => id === 'delivery.lineage');
    if (route === undefined || typeof route.answer === 'string') throw new Error('there is no such route');
    const { body } = await console_.api('GET', '/api/lineage');
    // Parsed with that route's own shape; the lookup by id cannot carry the pairing.
    lineage = route.answer.parse(body) as Lineage;
  });
  afterAll(() => console_.close());

  const wayOf = (repo: string) => {
    const image = lineage.images.find((one) => one.repo === repo);
    if (image === undefined) throw new Error(`${repo} has no image: ${JSON.stringify(lineage.images)}`);
    return Object.fromEntries(image.steps.map((step) => [step.step, step]));
  };

  it('follows a commit to the pods that run its image', () => {
    expect(wayOf('harbour-board')).toMatchObject({
      registry: { state: 'done' },
      rolled: { state: 'done', detail: 'in Deployment apps/harbour-board' },
      running: { state: 'done', detail: '2 of 2 pods ready' },
    });
  });

  it('tells workloads with the image from those that are behind', () => {
    const { rolled } = wayOf('campaign');
    expect(rolled?.parts?.map(({ name, state }) => [name, state])).toEqual(
      expect.arrayContaining([
        ['Deployment campaign/campaign-control', 'done'],
        ['Deployment campaign/campaign-worker', 'not_reached'],
      ]),
    );
  });

  it('has nothing rolled out before it was built', () => {
    const times = lineage.images.map(({ repo, steps }) => {
      const at = Object.fromEntries(steps.map((step) => [step.step, step.at]));
      return { repo, built: at.built, rolled: at.rolled };
    });
    const both = times.filter(({ built, rolled }) => built !== undefined && rolled !== undefined);
    expect(both.length).toBeGreaterThan(5);
    expect(both.filter(({ built = '', rolled = '' }) => rolled < built)).toEqual([]);
  });
});

describe('images that the sandbox cluster runs', () => {
  it('are those that were pushed by then, and never one that is still on its way', async () => {
    const host = await startSandboxCodeHost();
    try {
      const repository = host.world.organisations[0]?.repositories.find(({ name }) => name === 'campaign');
      const pushes = (repository?.images ?? []).toSorted((a, b) => b.pushedAt - a.pushedAt);
      const [newest, before] = pushes;
      if (newest === undefined || before === undefined) throw new Error('the seed has too few pushes');
      const at = (now: number, behind = 0): string =>
        pushedImage(host.world, '127.0.0.1:5000', { repository: 'campaign', behind, now });
      expect(at(newest.pushedAt)).toBe(`127.0.0.1:5000/northgate/campaign:${newest.sha}`);
      expect(at(newest.pushedAt, 1)).toContain(before.sha);
      expect(at(newest.pushedAt - 1)).toContain(before.sha);
      expect(at(newest.pushedAt, 99)).toContain(pushes.at(-1)?.sha);
      expect(() =>
        pushedImage(host.world, 'r', { repository: 'berth-history', behind: 0, now: Date.now() }),
      ).toThrow('has no image of berth-history');
    } finally {
      await host.close();
    }
  });

  it("are made up when the operator's own App takes the place of the sandbox's code host", async () => {
    const env: Environment = { CONSOLE_GITHUB_APP_ID: '4711' };
    const own = await startedConsole(env, { sandbox: true });
    try {
      const { status, body } = await own.api('GET', '/api/dashboard');
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('registry.northgate.example/northgate/campaign:');
    } finally {
      await own.close();
    }
  });
});
