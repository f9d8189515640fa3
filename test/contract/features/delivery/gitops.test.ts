import { describe, expect, it } from 'vitest';
import { noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { commitId, repository, run, world } from '../../../support/code-host.ts';
import { iso, minutesAgo, reading, readingWorld } from './delivery-harness.ts';

const sha = (name: string): string => commitId('gitops', name);
const short = (name: string): string => sha(name).slice(0, 7);

type Given = Partial<Parameters<typeof run>[0]> & { readonly of: string };

/** Delivering runs of one workflow, the newest first and ten minutes apart. */
const runs = (...given: readonly Given[]) =>
  given.map(({ of, ...more }, index) =>
    run({
      id: 900 - index,
      sha: sha(of),
      name: 'Deploy',
      path: '.github/workflows/deploy.yml',
      createdAt: minutesAgo(10 * (index + 1)),
      startedAt: minutesAgo(10 * (index + 1) - 1),
      updatedAt: minutesAgo(10 * (index + 1) - 4),
      ...more,
    }),
  );

const moving = { status: 'in_progress', conclusion: null } as const;

async function onlyItem(...given: readonly Given[]) {
  const { read } = await readingWorld(world([repository({ name: 'harbour', runs: runs(...given) })]));
  const { items, ...answer } = await read('delivery.gitops');
  expect(items).toHaveLength(1);
  return { ...items[0], answer };
}

describe('deliveries by workflow runs', () => {
  it('are synced and healthy when the newest run succeeded (CON-090)', async () => {
    const { answer, ...item } = await onlyItem({ of: 'b' }, { of: 'a', conclusion: 'failure' });
    expect(item).toMatchObject({
      name: 'Deploy',
      repo: 'harbour',
      branch: 'main',
      sync: 'synced',
      health: 'healthy',
      revision: sha('b'),
      target_revision: sha('b'),
      detail: `delivered ${short('b')}`,
      last_transition: iso(minutesAgo(6)),
    });
    expect(answer).toMatchObject({ mode: 'workflows', source: 'github', complete: true, unmeasured: [] });
  });

  it('are out of sync and degraded when it failed, and say what was last good and how far back', async () => {
    const { answer, ...item } = await onlyItem(
      { of: 'd', conclusion: 'timed_out' },
      { of: 'c', conclusion: 'failure' },
      { of: 'x', conclusion: 'skipped' },
      { of: 'b', conclusion: 'failure' },
      { of: 'a' },
    );
    expect(item).toMatchObject({
      sync: 'out_of_sync',
      health: 'degraded',
      revision: sha('a'),
      target_revision: sha('d'),
      detail: `failed on ${short('d')} (ran out of time), last good ${short('a')} 3 runs before`,
    });
  });

  it('have no revision when none of the runs succeeded', async () => {
    const { answer, ...item } = await onlyItem(
      { of: 'b', conclusion: 'failure' },
      { of: 'a', conclusion: 'failure' },
    );
    expect(item).not.toHaveProperty('revision');
    expect(item.detail).toContain('none of the 2 runs that were read succeeded');
  });

  it('are on their way while the newest run is, since it started', async () => {
    const { answer, ...item } = await onlyItem({ of: 'b', ...moving }, { of: 'a' });
    expect(item).toMatchObject({
      sync: 'progressing',
      health: 'progressing',
      revision: sha('a'),
      target_revision: sha('b'),
      last_transition: iso(minutesAgo(9)),
      detail: `${short('b')} is on its way, last good ${short('a')} 1 run before`,
    });
  });

  it('are suspended while a person has to approve', async () => {
    const { answer, ...item } = await onlyItem({ of: 'b', status: 'waiting', conclusion: null }, { of: 'a' });
    expect(item).toMatchObject({ sync: 'progressing', health: 'suspended' });
    expect(item.detail).toContain('waits for a person');
  });

  it('are as healthy as before when the newest run was called off', async () => {
    const healthy = await onlyItem({ of: 'b', conclusion: 'cancelled' }, { of: 'a' });
    expect(healthy).toMatchObject({ sync: 'out_of_sync', health: 'healthy' });
    const degraded = await onlyItem({ of: 'b', conclusion: 'cancelled' }, { of: 'a', conclusion: 'failure' });
    expect(degraded).toMatchObject({ health: 'degraded' });
    expect(await onlyItem({ of: 'b', conclusion: 'cancelled' })).toMatchObject({ health: 'missing' });
  });

  it('are not decided by an older commit that was tried again later', async () => {
    const { answer, ...item } = await onlyItem(
      { of: 'b' },
      { of: 'a', conclusion: 'failure', attempt: 2, startedAt: minutesAgo(2), updatedAt: minutesAgo(1) },
    );
    expect(item).toMatchObject({ sync: 'synced', target_revision: sha('b') });
  });

  it('are told for each workflow of each repository, and not for agents, other branches and other events', async () => {
    const [deploy] = runs({ of: 'a' });
    const other = (id: number, more: Partial<Parameters<typeof run>[0]>) =>
      run({ id, sha: sha('a'), createdAt: minutesAgo(5), ...more });
    const { read } = await readingWorld(
      world([
        repository({
          name: 'harbour',
          runs: [
            ...(deploy === undefined ? [] : [deploy]),
            other(1, {}),
            other(2, { name: 'Docs', path: '.github/workflows/docs.yml', event: 'workflow_dispatch' }),
            other(3, {
              name: 'Ship',
              path: '.github/workflows/ship.yml',
              event: 'release',
              branch: 'v2.1.0',
            }),
            other(4, { name: 'No', path: '.github/workflows/governance-a.yml' }),
            other(5, { name: 'No', path: '.github/workflows/b.yml', branch: 'topic' }),
            other(6, { name: 'No', path: '.github/workflows/c.yml', event: 'schedule' }),
            other(7, { name: 'No', path: '.github/workflows/d.yml', event: 'pull_request' }),
            other(8, { name: 'No', path: '.github/workflows/e.yml', conclusion: 'skipped' }),
          ],
        }),
        repository({ name: 'quay', runs: [other(9, {})] }),
        repository({ name: 'docs' }),
      ]),
    );
    const { items } = await read('delivery.gitops');
    const named = items.map(({ repo, name }) => `${repo}/${name}`).sort();
    expect(named).toEqual(['harbour/Build', 'harbour/Deploy', 'harbour/Docs', 'harbour/Ship', 'quay/Build']);
  });

  it('name a repository whose runs were not read, and are incomplete', async () => {
    const { read, sandbox } = await readingWorld(
      world([repository({ name: 'harbour', runs: runs({ of: 'a' }) }), repository({ name: 'quay' })]),
    );
    sandbox.fault({ kind: 'error', status: 502, path: '/quay/actions/runs' });
    const { items, complete, source, unmeasured } = await read('delivery.gitops');
    expect(items).toHaveLength(1);
    expect({ complete, source }).toEqual({ complete: false, source: 'github' });
    expect(unmeasured).toEqual([expect.stringMatching(/^Runs of quay were not read: .*502/)]);
  });

  it('say that they cannot be told where only other runs fill what was read', async () => {
    const others = Array.from({ length: 101 }, (_, index) =>
      run({ id: 1 + index, sha: sha('a'), event: 'schedule', createdAt: minutesAgo(index) }),
    );
    const { read } = await readingWorld(world([repository({ name: 'harbour', runs: others })]));
    const { items, complete, unmeasured } = await read('delivery.gitops');
    expect(items).toEqual([]);
    expect(complete).toBe(false);
    expect(unmeasured).toEqual([
      'None of the newest 100 runs of harbour delivers; older ones were not read.',
    ]);
  });

  it('are unavailable, with the reason, on a console without a code host', async () => {
    const { read } = await reading(noCodeHost);
    const { items, source, complete, unmeasured } = await read('delivery.gitops');
    expect({ items, source, complete }).toEqual({ items: [], source: 'unavailable', complete: false });
    expect(unmeasured).toEqual([expect.stringContaining('CONSOLE_GITHUB_APP_ID')]);
  });
});
