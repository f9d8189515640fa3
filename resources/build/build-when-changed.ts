import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { builtFile, isBuilt } from './newest-source.ts';

// The first step of `npm start`: builds, unless no source is newer than what the last build wrote at its end.
const root = join(import.meta.dirname, '../..');
if (isBuilt(root)) {
  console.log(`Nothing changed since the build of ${statSync(join(root, builtFile)).mtime.toISOString()}.`);
} else {
  console.log('Building, about 40 s...');
  const { status } = spawnSync('npm', ['run', '-s', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
