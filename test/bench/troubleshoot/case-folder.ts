import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** A case as it was gathered: see docs/diagnosis-evaluation.md. */
const gathered = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** The repository or site: all its cases are in the same half. */
  source: z.string(),
  address: z.url(),
  category: z.string(),
  form: z.string(),
  kind: z.enum(['incident', 'healthy']),
  truth: z.string(),
});

export const judgement = z.enum(['right', 'symptom', 'wrong']);
export type Judgement = z.infer<typeof judgement>;

/** What identifies an assertion between two rounds: said in other words it is judged anew. */
const said = {
  symptom: z.string(),
  title: z.string(),
  cause: z.string(),
  objects: z.array(z.string()).default([]),
  evidence: z.string(),
};
export const assertion = z.strictObject({ severity: z.string(), ...said });
export type Assertion = z.infer<typeof assertion>;

const judgedAssertion = z.strictObject({ ...said, judgement, because: z.string().optional() });
export type JudgedAssertion = z.infer<typeof judgedAssertion>;

export type Case = z.infer<typeof gathered> & {
  readonly text: string;
  readonly judged: readonly JudgedAssertion[];
};

/** Reads every case of a folder; throws when one is not as the protocol says. */
export function readCases(folder: string): readonly Case[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readCase(join(folder, name)))
    .sort((a, b) => a.id.localeCompare(b.id, 'en'));
}

function readCase(folder: string): Case {
  const one = gathered.parse(JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')));
  if (one.id !== basename(folder)) throw new Error(`${folder} holds the case ${one.id}.`);
  const input = readdirSync(folder).find((name) => name.startsWith('input.'));
  if (input === undefined) throw new Error(`${folder} has no input.`);
  const verdict = join(folder, 'verdict.json');
  return {
    ...one,
    text: readFileSync(join(folder, input), 'utf8'),
    judged: existsSync(verdict)
      ? z.array(judgedAssertion).parse(JSON.parse(readFileSync(verdict, 'utf8')))
      : [],
  };
}
