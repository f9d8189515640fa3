import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBundle } from '../../../src-main/sources/cluster/bundle/index.ts';

// One opening of a bundle with all its objects, in a process of its own: node open.ts BUNDLE, prints JSON.

const [path = ''] = process.argv.slice(2);
const spool = mkdtempSync(join(tmpdir(), 'bench-bundle-'));
const started = performance.now();
const bundle = await openBundle({
  path,
  spool,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});
const ms = performance.now() - started;
const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
process.stdout.write(
  `${JSON.stringify({ ms, peak, files: bundle.facts.files, bytes: bundle.facts.bytes ?? 0 })}\n`,
);
await bundle.close();
rmSync(spool, { recursive: true, force: true });
