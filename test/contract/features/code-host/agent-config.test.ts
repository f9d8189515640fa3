import { describe, expect, it } from 'vitest';
import { noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { commitId, repository, world } from '../../../support/code-host.ts';
import { minutesAgo, reading, readingWorld } from '../delivery/delivery-harness.ts';

const path = '.platform/agents.yaml';
const text = 'agents:\n  - name: security-review\n    settings: { api_token: s3cr3t, depth: 3 }\n';

/** A repository pushed so many minutes ago, with this agents file. */
const withFile = (name: string, file: string | undefined, pushed = 1) =>
  repository({ name, pushedAt: minutesAgo(pushed), files: file === undefined ? {} : { [path]: file } });

describe('what agents are set to', () => {
  it('is read at the head of each default branch, with the commit it was read at (CON-097)', async () => {
    const { read, sandbox } = await readingWorld(
      world([withFile('harbour', text), withFile('quay', undefined, 2), withFile('empty', text, 3)]),
    );
    sandbox.world.organisations[0]?.repositories
      .filter(({ name }) => name === 'empty')
      .forEach((one) => {
        one.pushedAt = undefined;
        one.commits = [];
        one.branches = {};
      });
    const { items, ...answer } = await read('codeHost.agentConfig');
    expect(items.map(({ repo, file }) => [repo, file])).toEqual([
      ['harbour', 'read'],
      ['quay', 'none'],
    ]);
    expect(items[0]).toMatchObject({
      path,
      commit: commitId('harbour'),
      agents: [{ name: 'security-review', settings: { api_token: '(set)', depth: '3' }, line: 2 }],
      errors: [],
    });
    expect(items[0]?.url).toMatch(new RegExp(`/northgate/harbour/blob/${commitId('harbour')}/${path}$`));
    expect(JSON.stringify(items)).not.toContain('s3cr3t');
    expect(answer).toMatchObject({ source: 'github', complete: true, unmeasured: [] });
  });

  it('keeps what could be read of a file with mistakes, and the other repositories', async () => {
    const { read } = await readingWorld(
      world([
        withFile('harbour', `${text}    bias_rules: [{ id: x }]\n`),
        withFile('quay', '{{{', 2),
        withFile('berth', text, 3),
      ]),
    );
    const { items, complete } = await read('codeHost.agentConfig');
    expect(items[0]).toMatchObject({ file: 'read', agents: [{ name: 'security-review' }] });
    expect(items[0]?.errors).toMatchObject([{ line: 4 }]);
    expect(items[1]?.errors.length).toBeGreaterThan(0);
    expect(items[2]?.errors).toEqual([]);
    // A mistake in a file is not one in reading it.
    expect(complete).toBe(true);
  });

  it('names a repository whose file was not read, with the reason, and never calls that none', async () => {
    const { read, sandbox } = await readingWorld(
      world([withFile('harbour', text), withFile('quay', text, 2), withFile('berth', text, 3)]),
    );
    sandbox.fault({ kind: 'error', status: 502, path: '/quay/contents/' });
    sandbox.fault({ kind: 'error', status: 503, path: '/berth/commits/' });
    const { items, complete, unmeasured } = await read('codeHost.agentConfig');
    expect(items.map(({ repo, file }) => [repo, file])).toEqual([
      ['harbour', 'read'],
      ['quay', 'unread'],
      ['berth', 'unread'],
    ]);
    expect(items[1]?.commit).toBe(commitId('quay'));
    expect(items[2]).not.toHaveProperty('commit');
    expect(complete).toBe(false);
    expect(unmeasured).toEqual([
      expect.stringMatching(/^\.platform\/agents\.yaml of quay was not read: .*502/),
      expect.stringMatching(/^\.platform\/agents\.yaml of berth was not read: .*503/),
    ]);
  });

  it('is read of the twenty most recently pushed, and of any other by name', async () => {
    const repositories = Array.from({ length: 23 }, (_, index) => withFile(`repo-${index}`, text, index));
    const { read, sandbox } = await readingWorld(world(repositories));
    const all = await read('codeHost.agentConfig');
    expect(all.items.map(({ repo }) => repo)).toEqual(
      Array.from({ length: 20 }, (_, index) => `repo-${index}`),
    );
    expect(all).toMatchObject({
      complete: false,
      unmeasured: [expect.stringMatching(/^Settings of agents of 3 repositories were not read/)],
    });
    const asked = sandbox.requests.filter(({ path }) => path.startsWith('/repos/')).length;
    expect(asked).toBe(40);
    const one = await read('codeHost.agentConfig', '?repo=repo-22');
    expect(one).toMatchObject({ complete: true, items: [{ repo: 'repo-22', file: 'read' }] });
    const none = await read('codeHost.agentConfig', '?repo=nowhere');
    expect(none).toMatchObject({ items: [], complete: false });
    expect(none.unmeasured[0]).toContain('nowhere was not read');
  });

  it('is unavailable, with the reason, on a console without a code host', async () => {
    const { read } = await reading(noCodeHost);
    const answer = await read('codeHost.agentConfig');
    expect(answer).toMatchObject({ items: [], source: 'unavailable', complete: false });
    expect(answer.unmeasured).toEqual([expect.stringContaining('CONSOLE_GITHUB_APP_ID')]);
  });
});
