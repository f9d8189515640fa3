import { join } from 'node:path';
import { type Reporter, startVitest, type TestCase, type TestModule } from 'vitest/node';

/** Runs the desktop checks inside the rig (see run.ts), one program at a time. */
class SentenceReporter implements Reporter {
  readonly count = { passed: 0, failed: 0, skipped: 0 };

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'pending') return;
    this.count[state] += 1;
    const took = test.diagnostic()?.duration;
    const time = took === undefined ? '' : ` (${Math.round(took)} ms)`;
    console.log(
      `${{ passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped:' }[state]} ${test.name}${time}`,
    );
    if (test.diagnostic()?.flaky === true) console.log(`flaky: ${test.name}`);
    for (const error of errors ?? []) console.log(ownLines(error.stack ?? error.message), error.diff ?? '');
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    for (const module of modules) this.#broken(module.errors());
    for (const module of modules)
      for (const suite of module.children.allSuites()) this.#broken(suite.errors());
    this.#broken(unhandled);
    const { passed, failed, skipped } = this.count;
    console.log(`desktop: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  }

  #broken(errors: readonly unknown[]): void {
    this.count.failed += errors.length;
    for (const error of errors) console.log('FAILED ', error);
  }
}

/** A stack without the lines of the test runner. */
function ownLines(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .join('\n');
}

const reporter = new SentenceReporter();
const vitest = await startVitest('test', process.argv.slice(2), {
  root: join(import.meta.dirname, '../..'),
  config: false,
  watch: false,
  include: ['test/desktop/**/*.test.ts'],
  pool: 'forks',
  fileParallelism: false,
  testTimeout: 45_000,
  hookTimeout: 60_000,
  // On a machine nobody watches, one that fails is tried once more; the run names it as flaky if it then passes.
  retry: process.env.CI === 'true' ? 1 : 0,
  reporters: [reporter],
});
await vitest.close();
process.exitCode = reporter.count.failed === 0 && reporter.count.passed > 0 ? 0 : 1;
