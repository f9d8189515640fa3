import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { repoRoot } from '../../support/repo-root.ts';

// One scan of a bundle by the built thread, in a process of its own: node scan.ts BUNDLE LITERALS, prints JSON.

const [path = '', literals = ''] = process.argv.slice(2);
const started = performance.now();
const worker = new Worker(join(repoRoot, 'out/main/scan-worker.js'), {
  workerData: { path, literals: JSON.parse(readFileSync(literals, 'utf8')) },
});
worker.on(
  'message',
  (message: { kind: string; reason?: string; scan?: { files: number; bytes: number } }) => {
    if (message.kind === 'progress') return;
    if (message.scan === undefined) throw new Error(message.reason ?? 'it could not be scanned');
    const ms = performance.now() - started;
    // Linux: the most memory that was ever resident, in kB (proc(5)).
    const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
    const { files, bytes } = message.scan;
    process.stdout.write(`${JSON.stringify({ ms, peak, files, bytes })}\n`);
    void worker.terminate();
  },
);
