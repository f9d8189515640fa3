import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import type { RequirementDocument } from '#shared/api/requirements.ts';
import { readRequirements } from '../../src-main/features/requirements/index.ts';
import { repoRoot } from './repo-root.ts';

const number = z.string().regex(/^(?:CON|BCK|RTE)-\d{3}$/);
const entry = z.strictObject({ reason: z.string().min(1), requirements: z.array(number).min(1) });
const exceptions = z.strictObject({ not_built: z.array(entry), untested: z.array(entry) });

/** Requirements that no test names, by why. */
export type Exceptions = { readonly notBuilt: readonly string[]; readonly untested: readonly string[] };

/** Reads docs/requirements/not-built.yaml. Throws when an entry lacks its reason or names no number. */
export function readExceptions(): Exceptions {
  const file = readFileSync(join(repoRoot, 'docs/requirements/not-built.yaml'), 'utf8');
  const { not_built, untested } = exceptions.parse(load(file));
  const numbersOf = (entries: typeof untested) => entries.flatMap(({ requirements }) => requirements);
  return { notBuilt: numbersOf(not_built), untested: numbersOf(untested) };
}

const mentioned = /\b(?:CON|BCK|RTE)-\d{3}\b/g;
/** The title of a test or of a `describe`: the first argument of `it(`, `it.each(…)(` and their like. */
const titles = /(?:\b(?:it|test|describe|concurrent|sequential)|\))\(\s*(['"`])(.*?)\1,/g;

/** Returns the numbers that the titles of a test file name. */
export function numbersInTitles(source: string): string[] {
  return [...source.matchAll(titles)].flatMap(([, , title = '']) => title.match(mentioned) ?? []);
}

/** Returns every number that the titles of tests name. */
export function provedNumbers(): ReadonlySet<string> {
  const tests = textFiles('test').filter((file) => file.endsWith('.test.ts'));
  return new Set(tests.flatMap((file) => numbersInTitles(readFileSync(join(repoRoot, file), 'utf8'))));
}

/** Returns every mention of a number outside of docs/requirements, with its file. */
export function mentions(): { readonly file: string; readonly number: string }[] {
  const files = ['docs', 'proto', 'resources', 'src-main', 'src-renderer', 'src-shared', 'test'];
  return files.flatMap(textFiles).flatMap((file) =>
    (readFileSync(join(repoRoot, file), 'utf8').match(mentioned) ?? []).map((found) => ({
      file,
      number: found,
    })),
  );
}

/** Returns the text files of a folder of the repository, by their paths from its root. */
export function textFiles(folder: string): string[] {
  return readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => /\.(?:ts|tsx|js|css|html|yaml|yml|md|proto)$/.test(file));
}

/** The line of docs/requirements/README.md after which it is generated. */
const marker = '<!-- The rest is written by npm run docs -->\n';

/**
 * Returns docs/requirements/README.md with its table regenerated. Throws when it has lost the line above the
 * table.
 */
export function requirementsPage(page: string): string {
  const at = page.indexOf(marker);
  if (at === -1) throw new Error('docs/requirements/README.md has lost its line about npm run docs.');
  return `${page.slice(0, at + marker.length)}\n${coverageTable()}`;
}

/** Returns a Markdown table of the groups: how many of their requirements are tested, not built yet and untested. */
export function coverageTable(): string {
  const proved = provedNumbers();
  const { notBuilt, untested } = readExceptions();
  const rows = readRequirements().flatMap(({ title, groups }) =>
    groups.map(({ title: group, requirements }) => ({
      name: `${title}: ${group}`,
      numbers: requirements.map((each) => each.number),
    })),
  );
  const all = { name: '**All**', numbers: rows.flatMap(({ numbers }) => numbers) };
  const cells = [...rows, all].map(({ name, numbers }) => {
    const among = (list: Iterable<string>) => numbers.filter((each) => new Set(list).has(each)).length;
    return `| ${name} | ${numbers.length} | ${among(proved)} | ${among(notBuilt)} | ${among(untested)} |`;
  });
  return `| group | requirements | tested | not built yet | untested |\n|---|--:|--:|--:|--:|\n${cells.join('\n')}\n`;
}

/** Returns the numbers of a document in the order of its lines. */
export const numbersOf = ({ groups }: RequirementDocument): string[] =>
  groups.flatMap(({ requirements }) => requirements.map((each) => each.number));
