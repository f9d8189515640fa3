import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/** The folder of package.json: above this file in the source tree, in the build and in the packaged app alike. */
export function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The program's version, from package.json. */
export function version(): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'))).version;
}

/** The command that prints a new sign-in link of the console with this data folder, to be run anywhere on its machine. */
export function signInCommand(dataDir: string): string {
  const root = projectRoot();
  // From the sources there is no such program: npm runs it, in the folder it is told.
  const program = existsSync(join(root, 'src-main', 'cli.ts'))
    ? `npm --prefix ${quoted(root)} run -s console --`
    : 'operator-console';
  return `${program} sign-in-link --data-dir ${quoted(resolve(dataDir))}`;
}

/** A word of a shell command. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
