import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type Hold, place, type SamplerData } from './hold-counts.ts';

// The watchdog of consoles that run in the tests' own process (a console of its own process has
// event-loop-watchdog.ts). A thread watches that the event loop turns. When it has not for 200 ms of the main thread's
// processor time, the thread takes the stack: it is a fault when the console's own code is at work, and none when it is
// the test, a peer that the test made, or the loading of modules.

/** Longest processor time one request may hold the event loop, in ms. */
const longestMs = 200;
/** Between two turns that are noted, in ms. */
const everyMs = 10;

let holds: MessagePort | undefined;

/** Begins to watch this process, once. Linux alone tells the processor time of another thread. */
export function watchHolds(): void {
  if (holds !== undefined || !existsSync('/proc/self/task')) return;
  const { port1, port2 } = new MessageChannel();
  const counts = new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
  const workerData: SamplerData = { counts, port: port2, longestMs, pid: process.pid };
  const sampler = new Worker(join(import.meta.dirname, 'hold-worker.ts'), {
    workerData,
    transferList: [port2],
    execArgv: [],
    env: {},
  });
  sampler.unref();
  port1.unref();
  setInterval(() => {
    Atomics.add(counts, place.turns, 1);
    Atomics.store(counts, place.received, 0);
  }, everyMs).unref();
  subscribe('http.server.request.start', (message) => {
    const { response } = message as { response: ServerResponse };
    Atomics.add(counts, place.received, 1);
    Atomics.add(counts, place.open, 1);
    response.once('close', () => Atomics.sub(counts, place.open, 1));
  });
  holds = port1;
}

/** Throws when requests held the event loop since the last time this was asked. */
export function throwIfHeld(): void {
  if (holds === undefined) return;
  const found: string[] = [];
  for (
    let message = receiveMessageOnPort(holds);
    message !== undefined;
    message = receiveMessageOnPort(holds)
  ) {
    const { ms, stack }: Hold = message.message;
    if (isOfConsole(stack)) found.push(`event loop held for ${ms} ms and more by\n${stack.join('\n')}`);
  }
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** Returns whether the console's code is at work: it began the turn, and neither test code nor a module that loads is above it. */
function isOfConsole(stack: readonly string[]): boolean {
  if (stack.some((frame) => /node:internal\/modules|module-runner|vite-node/.test(frame))) return false;
  const own = stack.filter((frame) => /\/(src-main|src-shared|test)\//.test(frame));
  const isTest = (frame: string | undefined): boolean => frame === undefined || /\/test\//.test(frame);
  return !isTest(own[0]) && !isTest(own.at(-1));
}
