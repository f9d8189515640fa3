import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { platformPrefix } from '#shared/platform/labels.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { textFiles } from '../../support/requirements-coverage.ts';

it('the prefix of labels and of the API group is written in one place of the code (RTE-011)', () => {
  const inQuotes = new RegExp(`['"]${platformPrefix.replace('.', '\\.')}[/'"]`);
  const writing = ['src-main', 'src-shared', 'src-renderer']
    .flatMap(textFiles)
    .filter((file) => inQuotes.test(readFileSync(join(repoRoot, file), 'utf8')));
  expect(writing).toEqual(['src-shared/platform/labels.ts']);
});
