import { expect, test } from 'vitest';
import { sweepOf } from '../support/sweeps.ts';
import { familyOf, newDataDir, spawnProgram, stillRunning, until } from './desktop-program.ts';

/** Longest time from the request to quit until no process is left, in ms. */
const gone = 2000;
/** Only a quit that hangs takes that long: a timer of the program ends it, or the watch outside. */
const hanging = 4500;
/** A start is whole by then, in ms. */
const whole = 3500;
const count = sweepOf(200, 20);

type Quit = {
  /** When it was asked to quit, in ms after its start. */
  readonly at: number;
  readonly took: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
};

async function startAndQuit(at: number): Promise<Quit> {
  const child = spawnProgram({ dataDir: newDataDir() });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) =>
    child.on('exit', (code, signal) => done({ code, signal })),
  );
  await new Promise((resume) => setTimeout(resume, at));
  const family = familyOf(child.pid ?? 0);
  const asked = performance.now();
  child.kill('SIGTERM');
  const { code, signal } = await ended;
  await until('no process is left', () => stillRunning(family).length === 0);
  return { at, took: performance.now() - asked, code, signal, stderr };
}

test(
  `of ${count} starts that are quit at a random moment none takes longer than ${gone} ms or leaves a process`,
  async () => {
    const quits: Quit[] = [];
    // Spread over the whole start, so that a part of it that no number falls on is not left out by chance.
    for (let i = 0; i < count; i += 1) quits.push(await startAndQuit(((i + Math.random()) / count) * whole));
    expect(quits.filter(({ took }) => took >= hanging)).toEqual([]);
    // Other work of the machine makes one slow, and not the same moment three times.
    const slow: Quit[][] = [];
    for (const quit of quits.filter(({ took }) => took > gone)) {
      const again = [quit, await startAndQuit(quit.at), await startAndQuit(quit.at)];
      if (again.every(({ took }) => took > gone)) slow.push(again);
    }
    const [longest] = quits.toSorted((a, b) => b.took - a.took);
    console.log(
      `longest quit: ${Math.round(longest?.took ?? 0)} ms, asked at ${Math.round(longest?.at ?? 0)} ms`,
    );
    expect(slow).toEqual([]);
    // Before Electron listens for it, the signal ends the process itself.
    expect(quits.filter(({ code, signal }) => code !== 0 && signal !== 'SIGTERM')).toEqual([]);
    expect(quits.filter(({ stderr }) => /^error:|MaxListeners|uncaught/m.test(stderr))).toEqual([]);
  },
  count * 15_000,
);
