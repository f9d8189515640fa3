import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { diagnoseText } from '../../../src-main/features/troubleshoot/index.ts';
import type { Symptom } from '../../../src-shared/api/symptoms.ts';
import { type Assertion, assertion, type Case, readCases } from './case-folder.ts';
import { nameOf } from './compare.ts';
import { type Half, tableFile, writeHalf } from './table.ts';
import { tellFigures } from './tell-figures.ts';
import { resultOf, type Weighed, weighed } from './verdicts.ts';

const savedRun = z.record(z.string(), z.array(assertion));

export type EvaluationOptions = {
  /** A folder of cases; its name is the name of the half. */
  readonly folder: string;
  /** File to keep what is asserted in, which then is not shown: for the half that is still sealed. */
  readonly keep: string;
  /** File that was kept, in place of a diagnosis: to judge an earlier build. */
  readonly kept: string;
  /** Whether the verdicts become the last round's, in cases.yaml. */
  readonly table: boolean;
};

/** Diagnoses every case of a folder and tells, by category, what was asserted and how it was judged. */
export async function evaluate(options: EvaluationOptions, catalogue: readonly Symptom[]): Promise<void> {
  const cases = readCases(options.folder);
  const run = options.kept === '' ? await diagnosed(cases, catalogue) : readRun(options.kept);
  if (options.keep !== '') {
    writeFileSync(options.keep, `${JSON.stringify(run, undefined, 1)}\n`);
    console.log(`${cases.length} cases were diagnosed; what was asserted is in ${options.keep}.`);
    return;
  }
  const judged = cases.map((one) => {
    const assertions = weighed(run[one.id] ?? [], one.judged);
    return { one, assertions, result: resultOf(one, assertions) };
  });
  const categories = [...new Set(cases.map(({ category }) => category))].sort();
  for (const category of categories) {
    console.log(`\n## ${category}`);
    for (const { one, assertions, result } of judged)
      if (one.category === category) tellCase(one, assertions, result.verdict);
  }
  const results = judged.map(({ result }) => result);
  tellFigures(basename(options.folder), results);
  if (!options.table) return;
  const half = basename(options.folder);
  if (half !== 'open' && half !== 'sealed') throw new Error('A half is called open or sealed.');
  writeHalf(half satisfies Half, cases, results);
  console.log(`\nThe verdicts are in ${tableFile}.`);
}

async function diagnosed(
  cases: readonly Case[],
  catalogue: readonly Symptom[],
): Promise<Record<string, Assertion[]>> {
  const run: Record<string, Assertion[]> = {};
  for (const { id, text } of cases) {
    const { findings } = await diagnoseText(text, catalogue);
    run[id] = findings.map(
      ({ severity, symptom, title, cause, evidence, objects }): Assertion => ({
        severity,
        symptom,
        title,
        cause,
        objects: objects.map(nameOf),
        evidence: evidence[0]?.text.slice(0, 200) ?? '',
      }),
    );
  }
  return run;
}

function readRun(file: string): Record<string, Assertion[]> {
  if (!existsSync(file)) throw new Error(`${file} is not there.`);
  return savedRun.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function tellCase({ id, truth }: Case, assertions: readonly Weighed[], verdict: string): void {
  console.log(`\n${verdict.padEnd(13)} ${id}: ${truth}`);
  for (const each of assertions) {
    const { severity, symptom, title, cause, objects, evidence, judgement, because } = each;
    console.log(
      `  ${(judgement ?? '?').padEnd(8)} ${severity} ${symptom} ${objects.join(', ')}: ${title}. ${cause}`,
    );
    console.log(`           ${JSON.stringify(evidence)}`);
    if (because !== undefined) console.log(`           judged so because ${because}`);
  }
}
