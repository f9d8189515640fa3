import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const project = (name: string, timeout: number, globalSetup: string[] = []) => ({
  test: {
    name,
    globalSetup,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node' as const,
    pool: 'forks' as const,
    env: {
      // No test touches the keychain of whoever runs it; those that need one bring their own.
      CONSOLE_KEYCHAIN: 'off',
      // The program is started from source some hundred times: a third of its start is stripping types.
      NODE_COMPILE_CACHE: join(tmpdir(), 'operator-console-compile-cache'),
    },
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', 20_000),
      project('contract', 60_000, ['./test/support/postgres-server.ts']),
      project('browser', 60_000),
    ],
    maxWorkers: 2,
    reporters: ['default', './test/support/ci-reporter.ts'],
  },
});
