import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { app } from 'electron';

/** Extensions that the packages associate with the program; whether a file is a bundle, its content says. */
const extensions: ReadonlySet<string> = new Set([
  '.gz',
  '.tgz',
  '.tar',
  '.zip',
  '.json',
  '.yaml',
  '.yml',
  '.xz',
]);

/**
 * Listens for files that the system gives the program: by "Open with" and on the command line, of this start and of a
 * second one, and on macOS by an event, also for a file that is dropped on the dock icon. `open` gets the whole path of a
 * file that exists.
 */
export function listenForFiles(open: (file: string) => void): void {
  app.on('second-instance', (_event, argv, folder) => {
    for (const file of filesIn(argv, folder)) open(file);
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    for (const file of filesIn(['', path], '/')) open(file);
  });
  for (const file of filesIn(process.argv, process.cwd())) open(file);
}

/** The first word is the program. What begins with a dash is a switch, whatever file has such a name. */
function filesIn(argv: readonly string[], folder: string): string[] {
  return argv
    .slice(1)
    .filter((word) => !word.startsWith('-') && extensions.has(extname(word).toLowerCase()))
    .map((word) => resolve(folder, word))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
