import { nodeFault } from './base/node-version.ts';

const fault = nodeFault(process.versions.node);
if (fault !== undefined) {
  process.stderr.write(`error: ${fault}\n`);
  process.exit(1);
}
// Only now: what follows does not even load in an older Node.
await import('./commands/command-line.ts');
