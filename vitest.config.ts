import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers and the programs that tests start some hundred times load the same modules: V8 compiles each once.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'operator-console-compile-cache');

type Own = {
  readonly timeout: number;
  readonly globalSetup?: string[];
  /** A process for each file; else files share two, which load the console once, and leave nothing behind there. */
  readonly isolate: boolean;
};

const project = (name: string, { timeout, globalSetup = [], isolate }: Own) => ({
  test: {
    name,
    globalSetup,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node' as const,
    pool: 'forks' as const,
    isolate,
    env: {
      // No test touches the keychain of whoever runs it; those that need one bring their own.
      CONSOLE_KEYCHAIN: 'off',
    },
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', { timeout: 20_000, isolate: false }),
      // Some measure the memory of their process.
      project('contract', {
        timeout: 60_000,
        globalSetup: ['./test/support/postgres-server.ts'],
        isolate: true,
      }),
      project('browser', { timeout: 60_000, isolate: false }),
    ],
    maxWorkers: 2,
    reporters: ['default', './test/support/ci-reporter.ts'],
  },
});
