import { describe, expect, it } from 'vitest';
import type { Run } from '#shared/api/runs.ts';
import { eachPart, pageHref } from '#shared/page-address.ts';
import { commitUrl, pullRequestUrl } from '../../../../src-renderer/components/code-host-links.ts';
import { listAddress } from '../../../../src-renderer/components/list/list-address.ts';
import { formatTook } from '../../../../src-renderer/components/run-state.ts';
import { groupedEntries } from '../../../../src-renderer/components/table/table-entries.ts';
import type { Address } from '../../../../src-renderer/core/page-address.ts';
import { dayTitle, groupOf, underWayFirst } from '../../../../src-renderer/pages/runs/run-days.ts';
import { runsPlan } from '../../../../src-renderer/pages/runs/run-filter.ts';
import { startedBy, workflowRunOf } from '../../../../src-renderer/pages/runs/run-labels.ts';
import {
  type RunPages,
  type RunsPage,
  withNewest,
} from '../../../../src-renderer/pages/runs/runs-queries.ts';

const nowhere: Address = { ...eachPart(null), tab: 'runs' };
const { read: filterOf, changed } = runsPlan.filter;
const minute = 60_000;
const noon = new Date(2026, 10, 21, 12).getTime();

const run = (id: string, minutesAgo: number, more: Partial<Run> = {}): Run => ({
  id,
  kind: 'workflow',
  name: 'Build',
  state: 'success',
  started: new Date(noon - minutesAgo * minute).toISOString(),
  ...more,
});

const page = (items: readonly Run[], next?: string, source = 'github'): RunsPage => ({
  items: [...items],
  ...(next !== undefined && { next_cursor: next }),
  counts: {},
  repos: [],
  source,
  complete: source !== 'unavailable',
  read_at: new Date(noon).toISOString(),
  unmeasured: [],
});
const pages = (...known: RunsPage[]): RunPages => ({
  pages: known,
  pageParams: known.map((_, index) => (index === 0 ? '' : `c${index}`)),
});
const ids = (known: RunPages): string[] => known.pages.flatMap(({ items }) => items.map(({ id }) => id));

describe('the filter of the runs in the address', () => {
  it('is written and read again the same, with a run, its log and lines', () => {
    const filter = { q: 'a&b', kind: 'workflow', repo: 'harbour', state: 'failure' } as const;
    const list = listAddress(runsPlan, { filter, open: 'workflow:harbour:8' });
    const place = { ...list, section: 'log', record: '4-9' };
    const read = { ...nowhere, ...Object.fromEntries(new URLSearchParams(pageHref(place).slice(2))) };
    expect(filterOf(read)).toEqual({ filter, ignored: [] });
    expect([read.run, read.section, read.record]).toEqual(['workflow:harbour:8', 'log', '4-9']);
  });

  it('drops what it does not understand, and names it', () => {
    expect(filterOf({ ...nowhere, state: 'good', repo: '..', since: 'noon', kind: 'job' })).toEqual({
      filter: { kind: 'job' },
      ignored: ['repo=..', 'state=good', 'since=noon'],
    });
  });

  it('changes by one part, and loses a part that is taken off', () => {
    expect(changed({ state: 'failure', q: 'x' }, { state: undefined })).toEqual({ q: 'x' });
  });
});

describe('the timeline', () => {
  it('has what is under way first, however long ago it began, then the days', () => {
    const runs = [
      run('a', 5),
      run('b', 10, { state: 'running' }),
      run('c', 60 * 24),
      run('d', 60 * 48, { state: 'waiting' }),
      run('e', 60 * 49),
    ];
    const entries = groupedEntries(underWayFirst(runs), (item) => groupOf(item, noon));
    expect(entries.map((entry) => (entry.kind === 'row' ? entry.row.id : entry.title))).toEqual([
      'Under way',
      'b',
      'd',
      'Today',
      'a',
      'Yesterday',
      'c',
      'Thursday 19 November',
      'e',
    ]);
  });

  it('names days as people do', () => {
    expect(dayTitle(new Date(2026, 10, 21, 0, 0).getTime(), noon)).toBe('Today');
    expect(dayTitle(new Date(2026, 10, 20, 23, 59).getTime(), noon)).toBe('Yesterday');
    expect(dayTitle(new Date(2025, 10, 20).getTime(), noon)).toBe('20 November 2025');
  });
});

describe('the newest page of the runs', () => {
  const first = page([run('d', 1, { state: 'running' }), run('c', 2)], 'c1');
  const second = page([run('b', 3), run('a', 4)]);

  it('takes the place of what it covers, and keeps what is older', () => {
    const newest = page([run('e', 0), run('d', 1, { state: 'failure' })], 'n1');
    const after = withNewest(pages(first, second), newest);
    expect(ids(after)).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(after.pages[0]?.items[1]?.state).toBe('failure');
    expect(after.pages.at(-1)?.next_cursor).toBeUndefined();
  });

  it('drops a run that is no longer among those it covers', () => {
    const newest = page([run('e', 0), run('c', 2)], 'n1');
    expect(ids(withNewest(pages(first, second), newest))).toEqual(['e', 'c', 'b', 'a']);
  });

  it('takes runs of one moment in the order of their ids, as the console lists them', () => {
    const known = pages(page([run('a', 1), run('b', 1)], 'c1'), page([run('c', 1), run('d', 1)]));
    expect(ids(withNewest(known, page([run('z', 0), run('a', 1)], 'n1')))).toEqual(['z', 'a', 'b', 'c', 'd']);
  });

  it('starts anew when it does not reach what was known', () => {
    const newest = page([run('z', 0), run('y', 0.5)], 'n1');
    expect(ids(withNewest(pages(first, second), newest))).toEqual(['z', 'y']);
  });

  it('leaves the runs as they were when it could not be read', () => {
    expect(ids(withNewest(pages(first, second), page([], undefined, 'unavailable')))).toEqual([
      'd',
      'c',
      'b',
      'a',
    ]);
    const nothing = withNewest(pages(page([], undefined, 'unavailable')), page([run('a', 1)]));
    expect(ids(nothing)).toEqual(['a']);
  });
});

describe('words about a run', () => {
  it('say how long it took in two units', () => {
    expect([0, 41, 200, 120, 7500, 7200, 273_600].map(formatTook)).toEqual([
      '0 s',
      '41 s',
      '3 min 20 s',
      '2 min',
      '2 h 5 min',
      '2 h',
      '3 d 4 h',
    ]);
  });

  it('say what started it, in its own word when there is no better one', () => {
    expect(startedBy(run('a', 1, { event: 'pull_request', pull_request: 42 }))).toBe('Pull request #42');
    expect(startedBy(run('a', 1, { event: 'check_suite' }))).toBe('check_suite');
    expect(startedBy(run('a', 1))).toBe('');
  });

  it('tell a workflow run by its id, and nothing else', () => {
    expect(workflowRunOf('workflow:harbour:8123')).toEqual({ repo: 'harbour', runId: 8123 });
    for (const id of ['session:8123', 'workflow:a/b:1', 'workflow:harbour:x', 'workflow:harbour:1:2'])
      expect(workflowRunOf(id)).toBeUndefined();
  });

  it('link to the pull request and the commit beside a run of the code host, and not beside another', () => {
    const url = 'https://code.example/northgate/harbour/actions/runs/8/attempts/2';
    expect(pullRequestUrl({ url, pull_request: 4 })).toBe('https://code.example/northgate/harbour/pull/4');
    expect(commitUrl({ url, sha: 'abc' })).toBe('https://code.example/northgate/harbour/commit/abc');
    expect(pullRequestUrl({ url: 'https://apps.example/runs/8', pull_request: 4 })).toBeUndefined();
    expect(commitUrl({ sha: 'abc' })).toBeUndefined();
  });
});
