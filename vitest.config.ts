import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers and the programs that tests start some hundred times load the same modules: V8 compiles each once.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'operator-console-compile-cache');

/**
 * How a test file shows that it measures its process, changes what all of it sees, or goes by times that count from
 * when its process began: it has one of its own. All others share processes, and so load the console once.
 */
const ofItsProcess =
  /process\.memoryUsage|getActiveResourcesInfo|\/proc\/self|vi\.(stubEnv|stubGlobal|useFakeTimers)|process\.env\.\w+ =|minutesAgo|begun|symptom-situations/;
const shared = globSync('test/contract/**/*.test.ts', {
  cwd: import.meta.dirname,
}).filter((file) => !ofItsProcess.test(readFileSync(join(import.meta.dirname, file), 'utf8')));

type Own = {
  readonly timeout: number;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly globalSetup?: readonly string[];
  /** A process for each file; else files share two, which load the console once, and leave nothing behind there. */
  readonly isolate: boolean;
};

const project = (name: string, { timeout, include, exclude = [], globalSetup = [], isolate }: Own) => ({
  test: {
    name,
    globalSetup: [...globalSetup],
    include: [...include],
    exclude: [...exclude],
    environment: 'node' as const,
    pool: 'forks' as const,
    isolate,
    env: {
      // No test touches the keychain of whoever runs it; those that need one bring their own.
      CONSOLE_KEYCHAIN: 'off',
    },
    testTimeout: timeout,
    hookTimeout: timeout,
    // On a machine nobody watches, one that fails is tried once more; the run names it as flaky if it then passes.
    retry: process.env.CI === 'true' ? 1 : 0,
    // What is waited for has come by then on a busy machine, too; a second is what an idle one needs.
    expect: { poll: { timeout: 10_000 } },
  },
});

const postgres = ['./test/support/postgres-server.ts'];

export default defineConfig({
  test: {
    projects: [
      project('unit', { timeout: 20_000, include: ['test/unit/**/*.test.ts'], isolate: false }),
      project('contract', {
        timeout: 60_000,
        include: ['test/contract/**/*.test.ts'],
        exclude: shared,
        globalSetup: postgres,
        isolate: true,
      }),
      project('contract-shared', { timeout: 60_000, include: shared, globalSetup: postgres, isolate: false }),
      project('browser', { timeout: 60_000, include: ['test/browser/**/*.test.ts'], isolate: false }),
    ],
    maxWorkers: 2,
    reporters: ['default', './test/support/ci-reporter.ts'],
  },
});
