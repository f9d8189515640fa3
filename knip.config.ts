import type { KnipConfig } from 'knip';

// Files, exports and dependencies that nothing uses: `npm run unused`.
const config: KnipConfig = {
  entry: [
    'src-main/{main,cli}.ts',
    'src-main/desktop/{preload,sandbox-process}.ts',
    // Found by their names beside the programs, as threads.
    'src-main/**/*-worker.ts',
    'test/support/*-worker.ts',
    'src-renderer/main.tsx',
    // In zod's place in the built window (electron.vite.config.ts).
    'src-renderer/core/zod-subset.ts',
    'resources/build/*.ts',
    '.ci/*.mjs',
    'test/**/*.test.ts',
    'test/bench/*.ts',
    // Programs of their own that tests and benches start by path.
    'test/bench/*/*.{ts,js}',
    'test/contract/store/child.ts',
    'test/desktop/{run,suite}.ts',
    'test/support/{audit-*,event-loop-watchdog,playbook-console,postgres-server,record-tables,refresh-*,screenshots,write-docs}.ts',
  ],
  project: [
    'src-main/**/*.{ts,tsx}',
    'src-renderer/**/*.{ts,tsx}',
    'src-shared/**/*.ts',
    'test/**/*.ts',
    'resources/build/*.ts',
  ],
  ignore: ['src-shared/gen/**'],
  // A type that a file's own exports are written with may be named by whoever uses them.
  ignoreExportsUsedInFile: { type: true, interface: true },
  // Loaded by `require`, or named in a page that a test builds.
  ignoreDependencies: [
    '@xmldom/xmldom',
    'axe-core',
    'grpc-web',
    'http-proxy',
    'fast-proxy',
    '@fastify/reply-from',
  ],
  // Programs of the system that tests look for, and report as skipped without.
  exclude: ['binaries'],
};

export default config;
