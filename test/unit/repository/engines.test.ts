import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oldestNode } from '../../../src-main/base/node-version.ts';
import { repoRoot } from '../../support/repo-root.ts';

it('gives npm ci on an older Node nothing to warn about this project: it brings the Node it needs', () => {
  const read = (name: string): string => readFileSync(join(repoRoot, name), 'utf8');
  expect(JSON.parse(read('package.json'))).not.toHaveProperty('engines');
  expect(JSON.parse(read('package-lock.json')).packages['']).not.toHaveProperty('engines');
  expect(Number.parseInt(read('.nvmrc'), 10)).toBe(oldestNode);
});
