// Plain JavaScript of any Node, loaded before a file that an older one cannot even read.
import { readFileSync } from 'node:fs';

// Not `engines` of package.json: npm ci would warn on an older Node, although it brings this one along.
const oldest = Number.parseInt(readFileSync(new URL('../../.nvmrc', import.meta.url), 'utf8'), 10);
if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(
    `error: The Operator Console needs Node ${oldest} or newer; this is Node ${process.versions.node}. Install it from https://nodejs.org, or run ./node_modules/.bin/node, which npm ci brings.\n`,
  );
  process.exit(1);
}
