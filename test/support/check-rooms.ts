import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomFaults } from './check-room-imports.ts';
import { repoRoot } from './repo-root.ts';

// Part of npm run check: names every import that leaves its room, and ends with 1 when there is one.
const files = globSync('{src-main,src-renderer,src-shared}/**/*.{ts,tsx,js}', { cwd: repoRoot }).map(
  (file) => [file.replaceAll('\\', '/'), readFileSync(join(repoRoot, file), 'utf8')] as const,
);
const faults = roomFaults(new Map(files.filter(([file]) => !file.startsWith('src-renderer/public/'))));
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
