import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { dependencies } from './package.json';
import { buildLogger, quietChecks } from './resources/build/build-logger.ts';
import { listPackages } from './resources/build/bundled-packages.ts';
import { precompress } from './resources/build/precompress.ts';
import { routeSummaries } from './resources/build/route-summaries.ts';

const root = import.meta.dirname;
const native = ['better-sqlite3-multiple-ciphers', '@napi-rs/keyring'];
const bundled = Object.keys(dependencies).filter((name) => !native.includes(name));

export default defineConfig({
  main: {
    plugins: [listPackages(root, 'main')],
    build: {
      outDir: 'out/main',
      // One file instead of some 900: the headless console is ready in a third of the time. Native code stays outside.
      externalizeDeps: { exclude: bundled },
      sourcemap: true,
      rolldownOptions: {
        checks: quietChecks,
        input: {
          main: resolve(root, 'src-main/main.ts'),
          cli: resolve(root, 'src-main/cli.ts'),
          'sandbox-process': resolve(root, 'src-main/desktop/sandbox-process.ts'),
          // The threads that read a bundle, explain a text and write YAML, found by these names beside the programs.
          'bundle-worker': resolve(root, 'src-main/sources/cluster/bundle/thread/bundle-worker.ts'),
          'scan-worker': resolve(root, 'src-main/sources/cluster/bundle/scan/scan-worker.ts'),
          'text-worker': resolve(root, 'src-main/features/troubleshoot/text/text-worker.ts'),
          'yaml-worker': resolve(root, 'src-main/features/cluster/yaml-worker.ts'),
        },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    plugins: [listPackages(root, 'preload')],
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rolldownOptions: {
        checks: quietChecks,
        input: { preload: resolve(root, 'src-main/desktop/preload.ts') },
        // A sandboxed preload must be CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    customLogger: buildLogger(),
    root: resolve(root, 'src-renderer'),
    plugins: [routeSummaries(root), react(), precompress(), listPackages(root, 'renderer')],
    // The schemas of answers, at a tenth of zod's size.
    resolve: { alias: [{ find: /^zod$/, replacement: resolve(root, 'src-renderer/core/zod-subset.ts') }] },
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      // electron-vite knows no Electron 45 yet; Chromium 114 is the oldest Chromium a test runs the window in.
      target: 'chrome114',
      // The budget is what the first page weighs compressed (docs/development.md), not one chunk's raw size.
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        checks: quietChecks,
        input: { index: resolve(root, 'src-renderer/index.html') },
        output: {
          // What every page needs comes in two files, not in twenty: packages, which a new build seldom changes, and ours.
          codeSplitting: {
            groups: [
              { name: 'packages', tags: ['$initial'], test: /node_modules/, priority: 1 },
              { name: 'window', tags: ['$initial'] },
              { name: 'palette', test: /src-renderer\/app\/palette/ },
              { name: 'grpc-web', test: /core\/(?:rpc|profile)\.ts|read-studio|@bufbuild|@connectrpc/ },
            ],
          },
        },
      },
    },
  },
});
