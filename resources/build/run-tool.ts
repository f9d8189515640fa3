import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installOwnPackages } from './own-packages.ts';

// node resources/build/run-tool.ts FOLDER COMMAND [ARGUMENT…]: runs a command of the packages of FOLDER in the current folder.
const [folder, command, ...args] = process.argv.slice(2);
if (folder === undefined || command === undefined) throw new Error('Which folder, and which command of it?');
installOwnPackages(folder);
const bin = join(process.cwd(), folder, 'node_modules/.bin');
const { status, error } = spawnSync(command, args, {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  shell: process.platform === 'win32',
});
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
