import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from './make-folder.ts';

/**
 * Writes a text, or JSON, readable by this user only, to a temporary file that is then renamed, so that a
 * reader never sees half of it. Creates the folder if it does not exist.
 */
export function writePrivateFile(file: string, content: object | string): void {
  const draft = `${file}.${process.pid}.tmp`;
  makeFolderSync(dirname(file));
  writeFileSync(draft, typeof content === 'string' ? content : `${JSON.stringify(content)}\n`, {
    mode: 0o600,
  });
  renameSync(draft, file);
}
