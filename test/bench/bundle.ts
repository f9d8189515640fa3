// bench: a bundle scanned with every pattern of the catalogue, beside tar and ripgrep, and its memory (about 3 minutes)
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { logLiterals, readCatalogue } from '../../src-main/features/troubleshoot/index.ts';
import { scanLimits } from '../../src-main/sources/cluster/bundle/scan/scan-bundle.ts';
import { repoRoot } from '../support/repo-root.ts';

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run build && npm run bench -- bundle [--file BUNDLE.tar.gz] [--rounds 9]');
  process.exit(0);
}

const runShape = z.object({
  ms: z.number(),
  /** Until the first hits were there, or the first pod that is not well, in ms. */
  first: z.number().optional(),
  peak: z.number(),
  files: z.number(),
  bytes: z.number(),
});
type Run = z.infer<typeof runShape>;

/**
 * Budget: least speed of the scan as a multiple of tar and ripgrep, most memory, in MB resident, and most
 * time, in ms, until the first finding is reported while objects and logs are read.
 */
const budget = { ratio: 1.5, peak: 150, first: 1000 };

function fail(reason: string): never {
  console.error(reason);
  process.exit(2);
}

function sample(): string {
  const folder = join(repoRoot, '../shared/bundles/must-gather');
  const [name] = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.tar.gz')) : [];
  if (name === undefined) fail(`There is no must-gather in ${folder}: name one with --file.`);
  return join(folder, name);
}

const file = values.file ?? sample();
const thread = join(repoRoot, 'out/main/scan-worker.js');
if (!existsSync(thread)) fail('Build the program first: npm run build.');
if (spawnSync('rg', ['--version']).error !== undefined)
  fail('ripgrep (rg) is what it is compared with: install it.');

const work = mkdtempSync(join(tmpdir(), 'bench-bundle-'));
try {
  const literals = logLiterals(readCatalogue());
  const [asLines, asJson] = [join(work, 'patterns.txt'), join(work, 'patterns.json')];
  writeFileSync(asLines, `${literals.join('\n')}\n`);
  writeFileSync(asJson, JSON.stringify(literals));
  const bundles = [
    { name: 'the bundle', path: file },
    { name: 'four of it in one', path: fourOf(file) },
  ];
  console.log(`${literals.length} patterns, ${values.rounds} rounds, medians\n`);
  let within = true;
  for (const { name, path } of bundles) {
    const ours: Run[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      ours.push(child('scan.js', thread, path, asJson, JSON.stringify(scanLimits)));
      theirs.push(peer(path, asLines));
    }
    const opened = child('open.ts', path);
    const [ms, peerMs] = [median(ours.map((run) => run.ms)), median(theirs)];
    const peak = Math.max(...ours.map((run) => run.peak));
    const ratio = peerMs / ms;
    const kept = ratio >= budget.ratio && peak <= budget.peak;
    const firstMs = opened.first ?? Number.POSITIVE_INFINITY;
    const isEarly = firstMs <= budget.first;
    within &&= kept && isEarly;
    console.log(
      `${name}: ${(statSync(path).size / 1e6).toFixed(1)} MB, ${ours[0]?.files ?? 0} logs of ${((ours[0]?.bytes ?? 0) / 1e6).toFixed(0)} MB`,
    );
    console.log(
      `  read, indexed and scanned   ${ms.toFixed(0).padStart(6)} ms   ${peak.toFixed(0).padStart(4)} MB at most`,
    );
    console.log(
      `  tar xzO | rg -i -F -f       ${peerMs.toFixed(0).padStart(6)} ms   ${ratio.toFixed(2)} x as long   ${kept ? 'within' : 'OVER'} the budget of ${budget.ratio} x, ${budget.peak} MB`,
    );
    console.log(
      `  first lines found           ${median(ours.map((run) => run.first ?? run.ms))
        .toFixed(0)
        .padStart(6)} ms`,
    );
    console.log(
      `  first finding told          ${firstMs.toFixed(0).padStart(6)} ms   ${isEarly ? 'within' : 'OVER'} the budget of ${budget.first} ms`,
    );
    console.log(
      `  all objects read, beside it ${opened.ms.toFixed(0).padStart(6)} ms   ${opened.peak.toFixed(0).padStart(4)} MB at most\n`,
    );
  }
  process.exitCode = within ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function child(program: string, ...args: readonly string[]): Run {
  const said = execFileSync(process.execPath, [join(import.meta.dirname, 'bundle', program), ...args], {
    encoding: 'utf8',
  });
  return runShape.parse(JSON.parse(said));
}

function peer(path: string, patterns: string): number {
  const started = performance.now();
  const { status } = spawnSync('sh', ['-c', 'tar xzOf "$1" | rg -i -F -f "$2" -c', 'sh', path, patterns]);
  if (status !== 0) fail('tar and rg did not end well.');
  return performance.now() - started;
}

/** An archive with the content of the bundle in four folders. */
function fourOf(path: string): string {
  const [once, four] = [join(work, 'once'), join(work, 'four')];
  mkdirSync(once);
  execFileSync('tar', ['xzf', path, '-C', once]);
  for (const copy of ['a', 'b', 'c', 'd']) cpSync(once, join(four, copy), { recursive: true });
  const archive = join(work, 'four.tar.gz');
  execFileSync('tar', ['czf', archive, '-C', four, '.']);
  for (const folder of [once, four]) rmSync(folder, { recursive: true, force: true });
  return archive;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
