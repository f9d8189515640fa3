import { join } from 'node:path';

/** The folder of package.json. */
export const repoRoot = join(import.meta.dirname, '../..');
