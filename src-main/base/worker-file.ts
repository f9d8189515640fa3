import { basename, dirname, join } from 'node:path';

/** The program of a thread: from source in `folder`; built, beside the programs, while this code may lie in their folder of parts. */
export function workerFile(folder: string, name: string): string {
  const own = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return join(folder, `${name}.ts`);
  return join(basename(own) === 'chunks' ? dirname(own) : own, `${name}.js`);
}
