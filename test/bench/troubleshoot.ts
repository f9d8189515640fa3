// bench: precision and recall of the troubleshooter over the sample bundles, each finding that is wrong or missing, and its time for 1,000 to 10,000 objects (about 4 minutes)
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { diagnose, diagnoseText, readCatalogue } from '../../src-main/features/troubleshoot/index.ts';
import { openBundle } from '../../src-main/sources/cluster/bundle/index.ts';
import type { Finding } from '../../src-shared/api/troubleshoot.ts';
import { repoRoot } from '../support/repo-root.ts';
import { compared, nameOf, type Outcome } from './troubleshoot/compare.ts';
import { evaluate } from './troubleshoot/evaluation.ts';
import { type ExpectedCase, readExpected } from './troubleshoot/expected.ts';
import { measureGrowth } from './troubleshoot/growth.ts';
import { tellLastRound } from './troubleshoot/table.ts';

const { values } = parseArgs({
  options: {
    bundles: { type: 'string', default: join(repoRoot, '../shared/bundles') },
    only: { type: 'string', default: '' },
    counts: { type: 'string', default: '1000,4000,10000' },
    'counts-only': { type: 'boolean', default: false },
    cases: { type: 'string', default: '' },
    keep: { type: 'string', default: '' },
    kept: { type: 'string', default: '' },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- troubleshoot [--bundles FOLDER] [--only PART-OF-A-PATH] [--counts 1000,4000,10000] [--counts-only]\n' +
      'npm run bench -- troubleshoot --cases FOLDER [--table] [--keep FILE | --kept FILE]   (docs/diagnosis-evaluation.md)',
  );
  process.exit(0);
}

/** Least precision and recall of all findings: the last measured values, less a small margin. */
const floor = { precision: 0.9, recall: 0.9 };
/** Bundles that are diagnosed at a time: each opens threads of its own. */
const atATime = 2;

const catalogue = readCatalogue();
if (values.cases !== '') {
  const { cases: folder, keep, kept, table } = values;
  await evaluate({ folder, keep, kept, table }, catalogue);
  process.exit();
}
if (values.only === '' && !(await measureGrowth(catalogue, values.counts.split(',').map(Number))))
  process.exitCode = 1;
if (values['counts-only']) process.exit();
if (!existsSync(values.bundles)) {
  console.error(`There are no bundles in ${values.bundles}: name their folder with --bundles.`);
  process.exit(2);
}
const { cases, notScored } = readExpected(new Set(catalogue.map(({ id }) => id)));
const chosen = cases.filter(({ paths }) => paths.some((path) => path.includes(values.only)));
const work = mkdtempSync(join(tmpdir(), 'bench-troubleshoot-'));
try {
  const results: { readonly of: ExpectedCase; readonly outcome: Outcome }[] = [];
  const waiting = [...chosen];
  const next = async (): Promise<void> => {
    for (let of = waiting.shift(); of !== undefined; of = waiting.shift())
      results.push({ of, outcome: compared(await findingsIn(of), of, notScored) });
  };
  await Promise.all(Array.from({ length: atATime }, next));
  results.sort((a, b) => chosen.indexOf(a.of) - chosen.indexOf(b.of));
  tell(results);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * Returns the findings of `operator-console diagnose`; none for refused input, which must then be expected.
 */
async function findingsIn(of: ExpectedCase): Promise<readonly Finding[]> {
  const [first = ''] = of.paths;
  if (of.kind === 'text')
    return (await diagnoseText(readFileSync(join(values.bundles, first), 'utf8'), catalogue)).findings;
  const signal = AbortSignal.timeout(120_000);
  const own = mkdtempSync(join(work, 'one-'));
  const opened = await openBundle({
    path: of.paths.length === 1 ? join(values.bundles, first) : together(of.paths, join(own, 'files')),
    spool: join(own, 'spool'),
    signal,
    onProgress: () => undefined,
  }).catch((error: unknown) => {
    if (of.refuses && !signal.aborted) return undefined;
    throw new Error(`${first} was not opened.`, { cause: error });
  });
  if (opened === undefined) return [];
  try {
    const { findings, source, unmeasured } = await diagnose(
      { id: undefined, cluster: opened.cluster },
      { catalogue, now: Date.now, signal, onProgress: () => undefined },
    );
    if (signal.aborted) throw new Error(`${first} took more than two minutes.`);
    if ((source === 'unavailable') !== of.refuses)
      throw new Error(`${first}: ${of.refuses ? 'it was read, and holds nothing' : unmeasured[0]}`);
    return findings;
  } finally {
    await opened.close();
  }
}

/** Files of several folders in one. */
function together(paths: readonly string[], folder: string): string {
  for (const path of paths) {
    const place = join(folder, basename(dirname(path)), basename(path));
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(values.bundles, path), place);
  }
  return folder;
}

function tell(results: readonly { readonly of: ExpectedCase; readonly outcome: Outcome }[]): void {
  const rows = new Map<string, Outcome[]>();
  for (const { of, outcome } of results) {
    const [first = ''] = of.paths;
    const row = /^(?:kubectl-status|scenarios|troubleshoot\/analyze-files\/pods)\b/.exec(first)?.[0] ?? first;
    rows.set(row, [...(rows.get(row) ?? []), outcome]);
  }
  console.log(
    `${catalogue.length} symptoms, ${results.length} bundles and texts\n\n${line('', 'right', 'wrong', 'missed', 'precision', 'recall')}`,
  );
  for (const [row, outcomes] of rows)
    console.log(lineOf(outcomes.length > 1 ? `${row} (${outcomes.length})` : row, outcomes));
  const all = results.map(({ outcome }) => outcome);
  const isGrave = ({ severity }: Finding): boolean => severity !== 'info';
  const grave = all.flatMap(({ right, wrong }) => [...right, ...wrong]).filter(isGrave).length;
  console.log(lineOf('all', all));
  console.log(
    `\nOf ${grave} critical findings and warnings ${all.flatMap(({ right }) => right).filter(isGrave).length} are right.`,
  );
  for (const { of, outcome } of results) {
    for (const { severity, symptom, objects, evidence } of outcome.wrong)
      console.log(
        `\nwrong   ${of.paths[0]}\n        ${severity} ${symptom} ${objects.map(nameOf).join(', ')}: ${evidence[0]?.text.slice(0, 160)}`,
      );
    for (const { symptom, object = '', because = '' } of outcome.missed)
      console.log(`\nmissed  ${of.paths[0]}\n        ${symptom} ${object}: ${because}`);
  }
  const beyond = results.flatMap(({ of }) => of.beyond);
  if (beyond.length > 0)
    console.log(
      `\nProblems the catalogue has no symptom for:\n${beyond.map((each) => `  ${each}`).join('\n')}`,
    );
  // Of some of them it says nothing.
  if (values.only !== '') return;
  tellLastRound();
  const { precision, recall } = scoreOf(all);
  const kept = precision >= floor.precision && recall >= floor.recall;
  console.log(
    `\n${kept ? 'Not below' : 'BELOW'} what it must at least be: precision ${floor.precision}, recall ${floor.recall}.`,
  );
  if (!kept) process.exitCode = 1;
}

function scoreOf(outcomes: readonly Outcome[]) {
  const sum = (list: 'right' | 'wrong' | 'missed'): number =>
    outcomes.reduce((total, outcome) => total + outcome[list].length, 0);
  const [right, wrong, missed] = [sum('right'), sum('wrong'), sum('missed')];
  const share = (part: number, rest: number): number => (part + rest === 0 ? 1 : part / (part + rest));
  return { right, wrong, missed, precision: share(right, wrong), recall: share(right, missed) };
}

function lineOf(name: string, outcomes: readonly Outcome[]): string {
  const { right, wrong, missed, precision, recall } = scoreOf(outcomes);
  return line(name, ...[right, wrong, missed].map(String), precision.toFixed(2), recall.toFixed(2));
}

function line(name: string, ...columns: readonly string[]): string {
  return name.padEnd(64) + columns.map((column) => column.padStart(10)).join('');
}
