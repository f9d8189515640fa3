import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import { type Symptom, symptom } from '#shared/api/symptoms.ts';
import { allExplained, faultsOf, type PlacedSymptom } from './check-symptoms.ts';

/** A file of the catalogue. */
export type CatalogueFile = { readonly file: string; readonly text: string };

let kept: readonly Symptom[] | undefined;

/**
 * The catalogue that comes with the console (resources/symptoms), each entry with all that it explains, also through another. It
 * is read once. Throws when it is missing, or with what is wrong with it, naming file, entry and field.
 */
export function readCatalogue(): readonly Symptom[] {
  kept ??= catalogueOf(catalogueFiles());
  return kept;
}

/** The entries of files. Throws with everything that is wrong with them, a line each. */
export function catalogueOf(files: readonly CatalogueFile[]): Symptom[] {
  const read = files.flatMap(entriesOf);
  const faults = read.flatMap((entry) => (typeof entry === 'string' ? [entry] : []));
  const entries = read.flatMap((entry) => (typeof entry === 'string' ? [] : [entry]));
  // Half a catalogue would give faults that are none, of entries it does not have.
  const all = faults.length > 0 ? faults : faultsOf(entries);
  if (all.length > 0) throw new Error(`The catalogue of symptoms is not as it should be.\n${all.join('\n')}`);
  const byId = new Map(entries.map((entry) => [entry.symptom.id, entry]));
  return entries.map((entry) => ({ ...entry.symptom, explains: [...allExplained(entry.symptom, byId)] }));
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function catalogueFiles(): CatalogueFile[] {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const folder = join(above, 'resources', 'symptoms');
    if (existsSync(folder))
      return readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
        .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    if (dirname(above) === above)
      throw new Error('The catalogue of symptoms that comes with the console is missing: install it again.');
  }
}

const entryList = z.array(z.unknown()).min(1);
const entryId = z.object({ id: z.string() });

/** The entries of a file, and in the place of one that is not as it should be the sentences that say why. */
function entriesOf({ file, text }: CatalogueFile): (PlacedSymptom | string)[] {
  let content: unknown;
  try {
    content = load(text);
  } catch (error) {
    return [`${file} is no YAML: ${error instanceof Error ? error.message.split('\n', 1)[0] : ''}.`];
  }
  const list = entryList.safeParse(content);
  if (!list.success) return [`${file} is no list of symptoms.`];
  return list.data.flatMap((entry, index): (PlacedSymptom | string)[] => {
    const named = entryId.safeParse(entry);
    const origin = `${file}, ${named.success ? named.data.id : `entry ${index + 1}`}`;
    const read = symptom.safeParse(entry);
    if (read.success) return [{ origin, symptom: read.data }];
    return read.error.issues.map((issue) => {
      const { path, message } = deepest(issue);
      return `${origin}: ${path.join('.')} ${message}.`;
    });
  });
}

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string };

/**
 * Returns the fault of the alternative of a clause that the entry comes closest to: the one whose path is
 * deepest.
 */
function deepest(issue: z.core.$ZodIssue): Fault {
  if (issue.code !== 'invalid_union') return { path: issue.path.map(String), message: issue.message };
  return issue.errors
    .flat()
    .map(deepest)
    .map(({ path, message }): Fault => ({ path: [...issue.path.map(String), ...path], message }))
    .reduce<Fault>((a, b) => (b.path.length > a.path.length ? b : a), {
      path: issue.path.map(String),
      message: issue.message,
    });
}
