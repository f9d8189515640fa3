import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import { errorClass, peerKind } from '#shared/api/symptoms.ts';

/** Names that a pattern may capture. */
const captured = ['host', 'port', 'object', 'account'] as const;

const sentence = z.string().min(1);
/** Looked for in bytes before a line is decoded: printable ASCII, letters in either case. */
const literal = z
  .string()
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
  .min(8);
const pattern = z
  .string()
  .min(1)
  .max(400)
  .refine((source) => {
    try {
      return new RegExp(source, 'iu') instanceof RegExp;
    } catch {
      return false;
    }
  }, 'must be a regular expression')
  .refine(
    (source) =>
      [...source.matchAll(/\(\?<([A-Za-z_]\w*)>/g)].every(([, name]) => captured.some((one) => one === name)),
    `may name only the groups ${captured.join(', ')}`,
  );

/** A line that must be found, and what it must be found to be about. */
const found = z.strictObject({
  /** Client, server or runtime that writes so. */
  from: sentence,
  line: sentence,
  named: z.partialRecord(z.enum(captured), z.string()).default({}),
});

/** Words for an error of a class (resources/wordings). */
export const wording = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  class: errorClass,
  literal,
  /** Tried on a line that has the literal, where JSON's escapes are undone. */
  pattern: pattern.optional(),
  /** Subject of the error, where the words name it; else the scheme, port or host name does. */
  of: peerKind.optional(),
  /** Only where no other wording fits the line: a bare status tells less than the code that comes with it. */
  weak: z.literal(true).optional(),
  finds: z.array(found).min(1),
  passes: z.array(sentence).min(1),
  source: sentence,
});
export type Wording = z.infer<typeof wording>;

/** Words that take errors back which a log had before them. */
export const recovery = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  takes_back: z.array(errorClass).min(1),
  literal,
  pattern: pattern.optional(),
  finds: z.array(sentence).min(1),
  passes: z.array(sentence).min(1),
  source: sentence,
});
export type Recovery = z.infer<typeof recovery>;

export type Wordings = { readonly wordings: readonly Wording[]; readonly recoveries: readonly Recovery[] };

let kept: Wordings | undefined;

/**
 * Returns the wordings that come with the console, read once. Throws when they are missing, or with what is wrong with
 * them, naming file and entry.
 */
export function readWordings(): Wordings {
  kept ??= wordingsOf(wordingFiles());
  return kept;
}

const recoveriesFile = 'recoveries.yaml';

function wordingsOf(files: readonly { readonly file: string; readonly text: string }[]): Wordings {
  const faults: string[] = [];
  const ids = new Set<string>();
  const read = <T extends { readonly id: string }>(schema: z.ZodType<T>, isOf: (file: string) => boolean) =>
    files
      .filter(({ file }) => isOf(file))
      .flatMap(({ file, text }): T[] => {
        const list = z.array(z.unknown()).safeParse(load(text));
        if (!list.success) return faults.push(`${file} is no list.`) > 0 ? [] : [];
        return list.data.flatMap((entry, index): T[] => {
          const one = schema.safeParse(entry);
          if (!one.success) {
            const [issue] = one.error.issues;
            faults.push(`${file}, entry ${index + 1}: ${issue?.path.join('.')} ${issue?.message}.`);
            return [];
          }
          if (ids.has(one.data.id)) faults.push(`${file}: id ${one.data.id} is taken.`);
          ids.add(one.data.id);
          return [one.data];
        });
      });
  const wordings = read(wording, (file) => file !== recoveriesFile);
  const recoveries = read(recovery, (file) => file === recoveriesFile);
  if (faults.length > 0)
    throw new Error(`The wordings of errors are not as they should be.\n${faults.join('\n')}`);
  return { wordings, recoveries };
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function wordingFiles(): { readonly file: string; readonly text: string }[] {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const folder = join(above, 'resources', 'wordings');
    if (existsSync(folder))
      return readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
        .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    if (dirname(above) === above)
      throw new Error('The wordings of errors that come with the console are missing: install it again.');
  }
}
