import { diagnose } from '../../../src-main/features/troubleshoot/index.ts';
import type { Symptom } from '../../../src-shared/api/symptoms.ts';
import { longestHold } from '../../support/longest-hold.ts';
import { arrangements, clusterOfMany, gapsOf } from '../../support/many-objects.ts';

/** Longest time in ms for which a diagnosis may hold the event loop. */
const mostHeld = 100;
/** Share by which the time for each object may grow from few to many. */
const mostGrowth = 1.2;

/**
 * Diagnoses clusters of so many objects of each kind and prints the processor time for a thousand of them, and the
 * longest time for which the event loop was held. Returns whether it grows no faster than the objects do.
 */
export async function measureGrowth(
  catalogue: readonly Symptom[],
  counts: readonly number[],
): Promise<boolean> {
  let holds = true;
  console.log(
    `\nmain thread, ms for 1,000 of each kind; the longest hold${''.padEnd(28)}${counts.map((count) => String(count).padStart(12)).join('')}`,
  );
  for (const name of Object.keys(arrangements)) {
    const times: number[] = [];
    const held: number[] = [];
    await once(catalogue, name, counts[0] ?? 0);
    for (const count of counts) {
      const { ms, hold } = await once(catalogue, name, count);
      times.push((ms / count) * 1000);
      held.push(hold);
    }
    const isLinear = times.every((time) => time <= (times[0] ?? 0) * mostGrowth);
    const isShort = held.every((hold) => hold <= mostHeld);
    holds &&= isLinear && isShort;
    const columns = times.map((time, at) => `${time.toFixed(0)}; ${(held[at] ?? 0).toFixed(0)}`.padStart(12));
    console.log(
      `${name.padEnd(84)}${columns.join('')}${isLinear ? '' : ' NOT LINEAR'}${isShort ? '' : ' HELD'}`,
    );
  }
  return holds;
}

async function once(
  catalogue: readonly Symptom[],
  name: string,
  count: number,
): Promise<{ readonly ms: number; readonly hold: number }> {
  const cluster = clusterOfMany(arrangements[name]?.(count) ?? [], gapsOf[name]);
  const signal = AbortSignal.timeout(300_000);
  const from = process.threadCpuUsage();
  const hold = await longestHold(() =>
    diagnose({ id: undefined, cluster }, { catalogue, now: Date.now, signal, onProgress: () => undefined }),
  );
  const { user, system } = process.threadCpuUsage(from);
  return { ms: (user + system) / 1000, hold };
}
