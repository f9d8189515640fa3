import { renameSync, writeFileSync } from 'node:fs';

/** Writes JSON for this user's eyes only, beside and renamed, so that a reader never sees half of it. */
export function writePrivateFile(file: string, content: object): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
