import type { Reporter, TestModule } from 'vitest/node';

/** Name of the run in the closing line. */
const lane = process.env.TEST_SWEEPS === 'whole' ? 'sweeps' : 'vitest';

/** Prints what was skipped or flaky, and the plain closing line CI reads: "vitest: N passed, N failed, N skipped". */
export default class CiReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const n = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) n.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'pending') continue;
        n[state] += 1;
        if (state === 'skipped') console.log(`skipped: ${test.fullName}`);
        if (test.diagnostic()?.flaky === true) console.log(`flaky: ${test.fullName}`);
      }
    }
    console.log(`${lane}: ${n.passed} passed, ${n.failed} failed, ${n.skipped} skipped`);
  }
}
