// bench: the merged logs of 50 pods at 200 lines/s each, followed for 60 s over cut connections: no line lost or doubled, memory
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { z } from 'zod';
import { liveCluster } from '../support/live-cluster.ts';
import { testConsole } from '../support/test-console.ts';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '50' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- logs [--pods 50] [--rate 200] [--seconds 60]');
  process.exit(0);
}
const [pods, rate, seconds] = [Number(values.pods), Number(values.rate), Number(values.seconds)];
/** Memory the server may grow by, in MB, and how far a line may stand behind a newer one, in ms. */
const budgetMb = 150;
const windowMs = 1_000;

const writers = fork(join(import.meta.dirname, 'logs/writers.ts'), [JSON.stringify({ pods, rate, seconds })]);
const message = async <T>(shape: z.ZodType<T>): Promise<T> =>
  shape.parse((await once(writers, 'message'))[0]);
const { kubeconfig } = await message(z.object({ kubeconfig: z.string() }));
const cluster = await liveCluster(kubeconfig);
const console_ = await testConsole({}, { cluster });
const cookie = await console_.cookie();
const leaving = new AbortController();
const { body } = await request(`${console_.url}/api/logs?namespace=shop&selector=app%3Dweb&follow=true`, {
  headers: { cookie },
  signal: leaving.signal,
});

/** The next number of each pod: what comes out of turn is lost, doubled or swapped. */
const next = new Map<string, number>();
const seen = { lines: 0, wrong: 0, farthest: 0, late: 0, remarks: 0 };
let newest = 0;
const take = (raw: string): void => {
  const [time = '', mark = '', pod = '', number = ''] = raw.split(' ', 4);
  if (mark.startsWith('[') || time.startsWith('[')) {
    seen.remarks += 1;
    return;
  }
  const wanted = next.get(pod) ?? 0;
  if (Number(number) !== wanted) seen.wrong += 1;
  next.set(pod, Number(number) + 1);
  seen.lines += 1;
  const at = Date.parse(time);
  if (newest - at > windowMs) seen.late += 1;
  seen.farthest = Math.max(seen.farthest, newest - at);
  newest = Math.max(newest, at);
};
const reading = (async () => {
  let rest = '';
  for await (const piece of body) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  }
})().catch(() => undefined);

const mb = (bytes: number): number => Math.round(bytes / 1_000_000);
const before = process.memoryUsage.rss();
let most = before;
const sampler = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 100);
writers.send('go');
const { written, cuts } = await message(z.object({ written: z.number(), cuts: z.number() }));
const wanted = written * pods;
const deadline = performance.now() + 20_000;
while (seen.lines < wanted && performance.now() < deadline)
  await new Promise((resolve) => setTimeout(resolve, 100));
clearInterval(sampler);
leaving.abort();
await reading;
const grown = mb(most - before);
const rows = {
  pods,
  lines_written: wanted,
  lines_read: seen.lines,
  out_of_turn: seen.wrong,
  connections_cut: cuts,
  remarks: seen.remarks,
  behind_newer_ms: seen.farthest,
  lines_later_than_a_second: seen.late,
  memory_before_mb: mb(before),
  memory_grown_mb: grown,
};
console.table(rows);
if (seen.lines !== wanted || seen.wrong > 0 || grown > budgetMb) {
  console.error('A line was lost, doubled or out of turn, or the memory is over its budget.');
  process.exitCode = 1;
}
await console_.close();
cluster.close();
writers.kill();
process.exit();
