// bench: 200 parallel range downloads of a 500 MB sealed object: memory, and every byte compared (about 2 minutes)
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { filmFrom } from './sealed/film.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '500' },
    downloads: { type: 'string', default: '200' },
    range: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- sealed [--size 500] [--downloads 200] [--range 10] [--rounds 2]   (sizes in MB)',
  );
  process.exit(0);
}
const megabyte = 1_000_000;
const size = Number(values.size) * megabyte;
const length = Math.min(Number(values.range) * megabyte, size);
const downloads = Number(values.downloads);
/** Memory a process may grow by while it serves all of them: a good half of a megabyte for each. */
const budgetMb = 128;

const server = fork(join(import.meta.dirname, 'sealed/server.ts'), [String(size)]);
const told = async <T>(shape: z.ZodType<T>): Promise<T> => shape.parse((await once(server, 'message'))[0]);
const { url } = await told(z.object({ url: z.string() }));
const memory = async () => {
  const answer = told(z.object({ most: z.number(), now: z.number() }));
  server.send('memory');
  return answer;
};
const dispatcher = new Agent({ connections: downloads, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });

/** Downloads a range and compares every byte. */
async function download(path: string, start: number): Promise<void> {
  const { statusCode, body } = await request(`${url}${path}`, {
    headers: { range: `bytes=${start}-${start + length - 1}` },
    dispatcher,
  });
  const next = filmFrom(start);
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (!chunk.equals(next(chunk.length)))
      throw new Error(`${path}: bytes from ${start + received} on differ`);
    received += chunk.length;
  }
  if (received !== length) throw new Error(`${path}: status ${statusCode}, ${received} of ${length} bytes`);
}

/** All at once, from places all over the object, none at the edge of a frame. */
async function round(path: string, count: number): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: count }, (_, number) =>
      download(path, Math.floor(((size - length) * number) / Math.max(count - 1, 1))),
    ),
  );
  return (count * length) / megabyte / ((performance.now() - started) / 1000);
}

const cases = [
  { name: 'unsealed file, all at once', path: '/plain', count: downloads },
  { name: 'sealed, one at a time', path: '/media/film', count: 1 },
  { name: 'sealed, all at once', path: '/media/film', count: downloads },
] as const;
const results = new Map(cases.map(({ name }) => [name, { rates: [] as number[], growth: [] as number[] }]));
// The first round only warms up: its memory is what the process keeps.
for (let number = 0; number <= Number(values.rounds); number += 1)
  for (const { name, path, count } of cases) {
    const { now } = await memory();
    const rate = await round(path, count);
    const { most } = await memory();
    if (number === 0) continue;
    results.get(name)?.rates.push(rate);
    results.get(name)?.growth.push((most - now) / megabyte);
  }
const { now } = await memory();
server.send('end');
await once(server, 'exit');
await dispatcher.close();

console.log(
  `${downloads} downloads of ${values.range} MB of an object of ${values.size} MB, every byte compared, ${values.rounds} rounds\n`,
);
for (const [name, { rates, growth }] of results)
  console.log(
    `${name.padEnd(30)} ${Math.round(Math.max(...rates))
      .toString()
      .padStart(6)} MB/s   memory grew by ${Math.max(...growth)
      .toFixed(0)
      .padStart(4)} MB at most`,
  );
const grown = Math.max(...(results.get('sealed, all at once')?.growth ?? [Number.NaN]));
const within = grown <= budgetMb;
console.log(
  `\nmemory after all: ${(now / megabyte).toFixed(0)} MB; ${within ? 'within' : 'OVER'} the budget of ${budgetMb} MB of growth`,
);
process.exitCode = within ? 0 : 1;
