import { defineConfig } from 'vitest/config';

const project = (name: string, timeout: number) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node' as const,
    pool: 'forks' as const,
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});

export default defineConfig({
  test: {
    projects: [project('unit', 20_000), project('contract', 30_000), project('browser', 60_000)],
    maxWorkers: 2,
    reporters: ['default', './test/support/ci-reporter.ts'],
  },
});
