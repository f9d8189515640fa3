import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { createVitest, type TestSpecification } from 'vitest/node';
import { reachedTests } from './changed-tests.ts';
import { repoRoot } from './repo-root.ts';

/**
 * `npm run test:quick`: every unit test, and the contract tests nearest to what changed since the branch left main, in
 * a minute. Unit tests all run; a contract test that is not done then is named and left out.
 */
const longest = 55_000;
/** More of them rarely end in time on two cores. */
const most = 10;
/** Tests to run when no changed file is reached by a contract test. */
const smoke = ['console/route-table', 'console/web-app', 'console/origin-guard'].map(
  (name) => `test/contract/${name}.test.ts`,
);

/** The lines git prints, or none: there is no such commit, or this is no clone. */
function git(...args: string[]): string[] {
  try {
    const output = execFileSync('git', args, {
      cwd: repoRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

const since = git('merge-base', 'HEAD', 'main')[0] ?? git('merge-base', 'HEAD', 'origin/main')[0] ?? 'HEAD';
const changed = [
  ...git('diff', '--name-only', '--relative', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const reached = reachedTests(repoRoot, changed);
const chosen = reached.length === 0 ? smoke : reached.slice(0, most);
console.log(
  reached.length === 0
    ? 'No contract test reaches what changed: a few of them run all the same.'
    : `${chosen.length} of the ${reached.length} contract tests that reach what changed since ${since.slice(0, 10)} run, the nearest.`,
);

const vitest = await createVitest('test', {
  watch: false,
  project: ['unit', 'contract', 'contract-shared'],
});
const ended = new Set<string>();
let failed = false;
/** Runs all files of some specifications, or those that end in `ms`. */
async function run(specifications: readonly TestSpecification[], ms?: number): Promise<void> {
  const timer =
    ms === undefined ? undefined : setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), ms);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([...specifications]);
  clearTimeout(timer);
  for (const module of testModules) {
    const state = module.state();
    if (state === 'passed' || state === 'failed') ended.add(module.moduleId);
    failed ||= state === 'failed';
  }
  failed ||= unhandledErrors.length > 0;
}

const began = performance.now();
await vitest.standalone();
const specifications = await vitest.globTestSpecifications(['test/unit/', ...chosen]);
const unit = specifications.filter(({ project }) => project.name === 'unit');
const contract = specifications.filter(({ project }) => project.name !== 'unit');
await run(unit);
await run(contract, Math.max(1, longest - (performance.now() - began)));
const left = specifications
  .filter(({ moduleId }) => !ended.has(moduleId))
  .map(({ moduleId }) => relative(repoRoot, moduleId));
if (left.length > 0)
  console.log(
    `${left.length} of ${specifications.length} files not run to their end: the minute is over. npx vitest run ${left.join(' ')}`,
  );
// What vitest sets for a run that was cut short says nothing of its tests.
process.exitCode = failed ? 1 : 0;
await vitest.close();
