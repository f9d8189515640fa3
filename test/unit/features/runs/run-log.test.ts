import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRunLogs, logLimits, type RunLogs } from '../../../../src-main/features/runs/run-log.ts';
import { spool } from '../../../../src-main/features/runs/spool.ts';
import { createTurns } from '../../../../src-main/features/runs/turns.ts';
import { noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { zipBytes } from '../../../support/zip-bytes.ts';

const usualTemporary = tmpdir();
let temporary: string;
beforeEach(() => {
  over = new AbortController();
  staying = over.signal;
  temporary = mkdtempSync(join(usualTemporary, 'run-log-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  over.abort();
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

const archive = zipBytes([{ name: '0_build.txt', content: 'line\n'.repeat(50_000) }]);
/** Of a caller who stays until the test is over. */
let staying: AbortSignal;
let over: AbortController;

function runLogs(limits: Partial<typeof logLimits>, bytes = () => Readable.from([archive])): RunLogs {
  const codeHost = { ...noCodeHost, runLogs: async () => bytes() };
  return createRunLogs(codeHost, { ...logLimits, ...limits });
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}

describe('a log that nobody reads to its end', () => {
  it('gives its turn back when its caller is gone before the first piece', async () => {
    const read = runLogs({ archives: 1, patience: 5_000 });
    const caller = new AbortController();
    // What is never begun has no end of its own: nobody asks these pieces for anything.
    await read('harbour', 1, caller.signal);
    const next = read('harbour', 2, staying);
    caller.abort();
    expect(await textOf((await next).pieces)).toContain('line');
  });

  it('gives its turn back when its caller left while it was judged', async () => {
    const caller = new AbortController();
    const read = runLogs({ archives: 1, patience: 5_000 }, () => {
      caller.abort();
      return Readable.from([archive]);
    });
    await expect(read('harbour', 1, caller.signal)).resolves.toMatchObject({ type: 'application/json' });
    await expect(read('harbour', 1, staying)).resolves.toMatchObject({ type: 'text/plain' });
  });

  it('ends when its reader pauses too long, so that the next one has a turn', async () => {
    const read = runLogs({ archives: 1, patience: 5_000, readerPause: 10 });
    const { pieces } = await read('harbour', 1, staying);
    const reading = pieces[Symbol.asyncIterator]();
    await reading.next();
    // Resolves only once the first one's turn is over.
    await read('harbour', 2, staying);
    const rest = await textOf({ [Symbol.asyncIterator]: () => reading });
    expect(rest).toMatch(/\[The log stops here: it was not read on for too long/);
  });
});

describe('a log whose turn does not come', () => {
  it('is answered with how long to wait', async () => {
    const read = runLogs({ archives: 1, patience: 20 });
    await read('harbour', 1, staying);
    await expect(read('harbour', 2, staying)).rejects.toMatchObject({
      name: 'TooManyRequests',
      headers: { 'retry-after': '1' },
    });
  });

  it('is told to wait 10 s by the limits of the product', () => {
    expect(logLimits).toMatchObject({ archives: 2, patience: 10_000 });
  });
});

it('an archive that takes too long to come is told as such, and gives its turn back', async () => {
  let slow = true;
  const read = runLogs({ archives: 1, archiveTime: 20, patience: 5_000 }, () =>
    Readable.from(
      (async function* () {
        yield archive.subarray(0, 100);
        if (slow) await after(60);
        yield archive.subarray(100);
      })(),
    ),
  );
  const { type, pieces } = await read('harbour', 1, staying);
  expect([type, await textOf(pieces)]).toEqual([
    'application/json',
    expect.stringContaining('took too long to come'),
  ]);
  slow = false;
  await expect(read('harbour', 1, staying)).resolves.toMatchObject({ type: 'text/plain' });
});

describe('turns', () => {
  it('are given first come first served, and one given back twice is one', async () => {
    const turns = createTurns(1, 60_000);
    const order: number[] = [];
    const first = await turns.take(staying);
    const second = turns.take(staying).then((giveBack) => {
      order.push(2);
      return giveBack;
    });
    const third = turns.take(staying).then(() => order.push(3));
    first?.();
    first?.();
    (await second)?.();
    await third;
    expect(order).toEqual([2, 3]);
  });

  it('are not given to who left, before or while waiting', async () => {
    const turns = createTurns(1, 60_000);
    const leaving = new AbortController();
    const held = await turns.take(staying);
    const left = turns.take(leaving.signal);
    leaving.abort();
    expect(await left).toBeUndefined();
    held?.();
    expect(await turns.take(leaving.signal)).toBeUndefined();
    expect(await turns.take(staying)).toBeTypeOf('function');
  });
});

it('a spool holds what came, byte by byte, and is closed once it was removed', async () => {
  const spooled = await spool(Readable.from([archive.subarray(0, 7), archive.subarray(7)]));
  const held = Buffer.alloc(archive.length);
  await spooled.handle.read(held, 0, held.length, 0);
  expect(held.equals(archive)).toBe(true);
  await Promise.all([spooled.remove(), spooled.remove()]);
  expect(spooled.handle.fd).toBe(-1);
});
