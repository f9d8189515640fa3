import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logLiterals, readCatalogue } from '../../../src-main/features/troubleshoot/index.ts';
import { createSharedScan, openBundle } from '../../../src-main/sources/cluster/bundle/index.ts';

// One opening of a bundle with all its objects, its logs looked through beside it, in a process of its own: node open.ts BUNDLE, prints JSON.

const [path = ''] = process.argv.slice(2);
const spool = mkdtempSync(join(tmpdir(), 'bench-bundle-'));
const literals = logLiterals(readCatalogue());
const started = performance.now();
let first: number | undefined;
const { signal } = new AbortController();
// As the console does: its logs are looked through while its objects are read.
const scan = createSharedScan(path);
const scanned = scan.scanLogs({ literals, signal });
const bundle = await openBundle({
  path,
  spool,
  signal,
  scan,
  onProgress: () => undefined,
  onPod() {
    first ??= performance.now() - started;
  },
});
const ms = performance.now() - started;
const peak = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
process.stdout.write(
  `${JSON.stringify({ ms, first, peak, files: bundle.facts.files, bytes: bundle.facts.bytes ?? 0 })}\n`,
);
await scanned;
await bundle.close();
rmSync(spool, { recursive: true, force: true });
