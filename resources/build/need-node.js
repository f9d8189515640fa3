// Plain JavaScript of any Node, loaded before a file that an older one cannot even read.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const oldest = Number.parseInt(engines.node.replace(/\D*/, ''), 10);
if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(
    `error: The Operator Console needs Node ${oldest} or newer; this is Node ${process.versions.node}. Install it from https://nodejs.org, or run ./node_modules/.bin/node, which npm ci brings.\n`,
  );
  process.exit(1);
}
