import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';

const problem = z.strictObject({
  /** Id of the catalogue's entry. */
  symptom: z.string(),
  /** `Kind/namespace/name` or `Kind/name`; absent for a text. */
  object: z.string().optional(),
  /** Location of the evidence in the bundle. */
  because: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;

const rest = {
  because: z.string(),
  expects: z.array(problem).default([]),
  arguable: z.array(problem).default([]),
  beyond: z.array(z.string()).default([]),
  refuses: z.boolean().default(false),
};
const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);
const expectedCase = z.union([
  z.strictObject({ bundle: oneOrMore, ...rest }),
  z.strictObject({ text: z.string(), ...rest }),
]);
const expectedFile = z.strictObject({
  not_scored: z.array(z.string()),
  cases: z.array(expectedCase),
  quiet: z.strictObject({ in: z.string(), files: z.array(z.string()) }),
});

/** The expected findings for one bundle, for several files as one folder, or for one text. */
export type ExpectedCase = {
  readonly kind: 'bundle' | 'text';
  /** Below the folder of bundles. */
  readonly paths: readonly string[];
  readonly expects: readonly Problem[];
  readonly arguable: readonly Problem[];
  readonly beyond: readonly string[];
  readonly refuses: boolean;
};
export type Expected = {
  readonly cases: readonly ExpectedCase[];
  /** Symptoms that count neither way. */
  readonly notScored: ReadonlySet<string>;
};

/** Reads expected.yaml. Throws when it is not as it should be, or names a symptom that the catalogue does not have. */
export function readExpected(known: ReadonlySet<string>): Expected {
  const { cases, quiet, not_scored } = expectedFile.parse(
    load(readFileSync(join(import.meta.dirname, 'expected.yaml'), 'utf8')),
  );
  const nothing = { expects: [], arguable: [], beyond: [], refuses: false };
  const all = [
    ...cases.map((each): ExpectedCase => {
      const { expects, arguable, beyond, refuses } = each;
      const paths = 'text' in each ? [each.text] : [each.bundle].flat();
      return { kind: 'text' in each ? 'text' : 'bundle', paths, expects, arguable, beyond, refuses };
    }),
    ...quiet.files.map(
      (file): ExpectedCase => ({ kind: 'bundle', paths: [`${quiet.in}/${file}`], ...nothing }),
    ),
  ];
  const unknown = all
    .flatMap(({ expects, arguable }) => [...expects, ...arguable])
    .filter(({ symptom }) => !known.has(symptom));
  if (unknown.length > 0)
    throw new Error(`The catalogue has no ${unknown.map(({ symptom }) => symptom).join(', ')}.`);
  return { cases: all, notScored: new Set(not_scored) };
}
