import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

// One scan of a bundle by the built thread, in a process of its own: node scan.js THREAD BUNDLE LITERALS LIMITS, prints
// JSON. No TypeScript: what Node loads to strip types would be in the memory that is measured.

const [thread, path, literals, limits] = process.argv.slice(2);
const started = performance.now();
const worker = new Worker(thread, {
  workerData: { path, literals: JSON.parse(readFileSync(literals, 'utf8')) },
  resourceLimits: JSON.parse(limits),
});
const found = [];
let first;
worker.on('message', (message) => {
  if (message.kind === 'refused') throw new Error(message.reason);
  if (message.kind === 'found') {
    first ??= performance.now() - started;
    // As whoever asked for them would keep them.
    found.push(message.files);
  }
  if (message.kind !== 'end') return;
  const ms = performance.now() - started;
  // Linux: the most memory that was ever resident, in kB (proc(5)).
  const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  const { files, bytes } = message;
  process.stdout.write(
    `${JSON.stringify({ ms, first: first ?? ms, peak, files, bytes, kept: found.length })}\n`,
  );
  void worker.terminate();
});
