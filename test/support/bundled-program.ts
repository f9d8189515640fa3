import { mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { repoRoot } from './repo-root.ts';

/** Below the repository, so that the native modules which a program loads are found. */
const folder = join(repoRoot, 'node_modules', '.cache', 'test-programs');

/**
 * Builds a test's own program, TypeScript, into one file that Node starts in a tenth of the time, for tests that start
 * it dozens of times. Answers its path.
 */
export function bundleProgram(source: string): string {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${basename(source, '.ts')}.mjs`);
  // Another run may be starting the one that is there.
  const draft = `${program}.${process.pid}`;
  buildSync({
    entryPoints: [source],
    outfile: draft,
    bundle: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3-multiple-ciphers', '@napi-rs/keyring', 'pg-native'],
    // pg is CommonJS and asks for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  renameSync(draft, program);
  return program;
}
