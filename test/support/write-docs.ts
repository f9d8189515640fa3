import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backendsPage } from './backends-page.ts';
import { configurationPage } from './configuration-page.ts';
import { developmentPage } from './development-page.ts';
import { repoRoot } from './repo-root.ts';
import { coverageTable, requirementsPage } from './requirements-coverage.ts';

// Writes the generated pages of docs/; CI fails when they differ from what is committed.
writeFileSync(join(repoRoot, 'docs/configuration.md'), configurationPage());
const backends = join(repoRoot, 'docs/backends.md');
writeFileSync(backends, backendsPage(readFileSync(backends, 'utf8')));
const development = join(repoRoot, 'docs/development.md');
writeFileSync(development, developmentPage(readFileSync(development, 'utf8')));
const requirements = join(repoRoot, 'docs/requirements/README.md');
writeFileSync(requirements, requirementsPage(readFileSync(requirements, 'utf8')));
process.stdout.write(coverageTable());
