import { describe, expect, it } from 'vitest';
import { arrangements, clusterOfMany, gapsOf } from '../../../support/many-objects.ts';
import { readingCluster } from '../cluster/harness.ts';

/** Processor time of the main thread, in ms, that a diagnosis of this many objects of each kind takes. */
async function timeOf(name: string, count: number): Promise<number> {
  const objects = arrangements[name]?.(count) ?? [];
  const { get } = await readingCluster(clusterOfMany(objects, gapsOf[name]));
  const from = process.threadCpuUsage();
  const { status, text } = await get('/api/troubleshoot');
  const { user, system } = process.threadCpuUsage(from);
  expect(status, text.slice(0, 300)).toBe(200);
  return (user + system) / 1000;
}

describe('a diagnosis of four times as many objects takes no more than about four times as long, of', () => {
  it.each(Object.keys(arrangements))('%s', async (name) => {
    // Once before, for what is compiled by then.
    await timeOf(name, 200);
    const [few, many] = [await timeOf(name, 400), await timeOf(name, 1600)];
    // Quadratic work would take 16 times as long.
    expect(many / few).toBeLessThan(8);
  });
});
