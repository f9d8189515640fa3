import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOwnPackages } from '../../resources/build/own-packages.ts';

// npm run bench -- <name> [options]: runs test/bench/<name>.ts. A file is a bench when its first line says
// `// bench: what it measures`.

const folder = import.meta.dirname;
/** Benches beside libraries of others, which `package.json` of this folder names. */
const withPeers: ReadonlySet<string> = new Set(['cluster', 'proxy']);

/** Name and summary of every bench. */
function benches(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.ts')) continue;
    const summary = /^\/\/ bench: (.+)/.exec(readFileSync(join(folder, file), 'utf8'));
    if (summary !== null) found.set(file.slice(0, -3), summary[1] ?? '');
  }
  return found;
}

const [name, ...rest] = process.argv.slice(2);
const known = benches();
if (name === undefined || name === '--help' || name === '-h') {
  console.log('npm run bench -- <name> [options]\n');
  for (const [bench, summary] of known) console.log(`  ${bench.padEnd(12)} ${summary}`);
} else if (known.has(name)) {
  if (withPeers.has(name)) installOwnPackages(folder);
  const child = spawn(process.execPath, [join(folder, `${name}.ts`), ...rest], { stdio: 'inherit' });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error(`There is no bench "${name}"; there are: ${[...known.keys()].join(', ')}.`);
  process.exitCode = 2;
}
