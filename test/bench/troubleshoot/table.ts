import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { z } from 'zod';
import type { Case } from './case-folder.ts';
import { tellFigures } from './tell-figures.ts';
import type { Result } from './verdicts.ts';

const half = z.enum(['open', 'sealed']);
export type Half = z.infer<typeof half>;

const row = z.strictObject({
  id: z.string(),
  half,
  category: z.string(),
  kind: z.enum(['incident', 'healthy']),
  form: z.string(),
  address: z.url(),
  truth: z.string(),
  verdict: z.enum(['right', 'symptom only', 'nothing', 'wrong', 'quiet', 'false alarm', 'not judged']),
  /** Numbers of right assertions, of symptoms and of wrong ones. */
  asserted: z.tuple([z.number(), z.number(), z.number()]),
});
type Row = z.infer<typeof row>;

/** The verdicts of the last round; the texts stay outside the repository. */
export const tableFile = 'test/bench/troubleshoot/cases.yaml';
const path = join(import.meta.dirname, 'cases.yaml');

const head = `# The cases of docs/diagnosis-evaluation.md with the verdicts of the last round, written by
# \`npm run bench -- troubleshoot --cases FOLDER --table\`. \`asserted\` counts right assertions, symptoms, and wrong ones.
# A sealed case is not here before it was run.

`;

function readTable(): readonly Row[] {
  return existsSync(path) ? z.array(row).parse(load(readFileSync(path, 'utf8')) ?? []) : [];
}

/** Replaces the rows of one half. */
export function writeHalf(of: Half, cases: readonly Case[], results: readonly Result[]): void {
  const rows = cases.flatMap(({ id, category, kind, form, address, truth }): Row[] => {
    const result = results.find((each) => each.id === id);
    if (result === undefined) return [];
    const { verdict, right, symptom, wrong } = result;
    return [
      { id, half: of, category, kind, form, address, truth, verdict, asserted: [right, symptom, wrong] },
    ];
  });
  const others = readTable().filter((each) => each.half !== of);
  const all = [...rows, ...others].sort(
    (a, b) => a.half.localeCompare(b.half) || a.id.localeCompare(b.id, 'en'),
  );
  writeFileSync(path, head + dump(all, { lineWidth: 120, flowLevel: 2 }));
}

/** Prints the figures of the last round, of each half that was judged. */
export function tellLastRound(): void {
  for (const each of half.options) {
    const results = readTable()
      .filter((one) => one.half === each)
      .map(
        ({ id, category, kind, verdict, asserted: [right, symptom, wrong] }): Result => ({
          id,
          category,
          kind,
          verdict,
          right,
          symptom,
          wrong,
        }),
      );
    if (results.length > 0) tellFigures(`last round, ${each}`, results);
  }
}
