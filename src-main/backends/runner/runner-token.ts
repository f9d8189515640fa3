import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from '../../base/private-file.ts';

/** The enrolment a runner keeps: its console, and its token there. */
const keptEnrolment = z.object({ console: z.url(), id: z.string(), token: z.string() });
export type KeptEnrolment = z.infer<typeof keptEnrolment>;

/** Reads a runner's file; undefined where there is none. Throws for one that cannot be read or is another console's. */
export function readEnrolment(file: string, console: string, id: string): KeptEnrolment | undefined {
  if (!existsSync(file)) return undefined;
  const read = keptEnrolment.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`${file} is not the file of a runner: name another one.`);
  // A token is sent to no other console than the one that gave it.
  if (read.data.console !== console || read.data.id !== id)
    throw new Error(`${file} is of runner ${read.data.id} at ${read.data.console}: name another file.`);
  return read.data;
}

/** Keeps the token, readable by this user only. */
export function keepEnrolment(file: string, enrolment: KeptEnrolment): void {
  writePrivateFile(file, enrolment);
}

/** Forgets a token that is worth nothing any more. */
export function forgetEnrolment(file: string): void {
  rmSync(file, { force: true });
}
