import { expect, it } from 'vitest';
import { studioList } from '../../../../src-main/features/studio/index.ts';
import { type CodeHost, noCodeHost, type Repository } from '../../../../src-main/sources/code-host/index.ts';

const app = (number: number): Repository => ({
  name: `app-${number}`,
  description: '',
  htmlUrl: '',
  updatedAt: '2026-11-20T12:00:00Z',
  pushedAt: undefined,
  defaultBranch: 'main',
  topics: ['studio-app'],
  archived: false,
  empty: false,
});

it('reads the status of four apps at a time (CON-194)', async () => {
  const under = new Set<string>();
  const most: number[] = [];
  const codeHost: CodeHost = {
    ...noCodeHost,
    async repositories() {
      const items = Array.from({ length: 12 }, (_, number) => app(number));
      return { ok: true, readAt: 0, cached: false, value: { items, truncated: false, total: items.length } };
    },
    async issues(repo) {
      under.add(repo);
      most.push(under.size);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under.delete(repo);
      return { ok: false, kind: 'unavailable', reason: 'it is a test' };
    },
  };
  const { unmeasured } = await studioList(codeHost);
  expect(unmeasured).toHaveLength(12);
  expect(Math.max(...most)).toBe(4);
});
