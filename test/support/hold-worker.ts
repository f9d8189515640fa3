import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { type Hold, place, type SamplerData } from './hold-counts.ts';

// The thread of `watchHolds` (request-holds.ts).

const { counts, port, longestMs, pid }: SamplerData = workerData;
/** Between two looks, in ms. */
const everyMs = 25;

/** Returns the processor time of the main thread in ms (Linux, Documentation/scheduler/sched-stats.rst). */
function mainThreadMs(): number {
  return Number(readFileSync(`/proc/self/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Interrupts the main thread for as long as it takes to read its stack. */
function takeStack(found: (stack: readonly string[]) => void): void {
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
  session.once('Debugger.paused', ({ params: { callFrames } }) => {
    session.post('Debugger.resume');
    session.disconnect();
    found(
      callFrames.map(
        ({ functionName, location: { scriptId, lineNumber } }) =>
          `    at ${functionName} (${files.get(scriptId)}:${lineNumber + 1})`,
      ),
    );
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

let turn = -1;
let since = 0;
let isTold = false;
setInterval(() => {
  const now = Atomics.load(counts, place.turns);
  if (now !== turn) {
    turn = now;
    since = mainThreadMs();
    isTold = false;
    return;
  }
  const held = mainThreadMs() - since;
  if (isTold || Atomics.load(counts, place.open) === 0) return;
  // Several requests may have their turn in one.
  if (held < longestMs * Math.max(1, Atomics.load(counts, place.received))) return;
  isTold = true;
  takeStack((stack) => port.postMessage({ ms: Math.round(held), stack } satisfies Hold));
}, everyMs);
