import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from '../../support/repo-root.ts';

const pages = [
  ...readdirSync(repoRoot).filter((file) => file.endsWith('.md')),
  ...readdirSync(join(repoRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** Files and folders that commands of the page, called through npm or node in a clone, write there. */
const writtenBy = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /npm run console|node .*src-main\/cli\.ts/.test(line))
    .flatMap((line) => [...line.matchAll(/ (?:--data-dir|--ready-file|--output|-o) (?!\/)([\w./-]+)/g)])
    .map(([, path = '']) => normalize(path));

it('everything that a command of the documentation writes in a clone is ignored by git', () => {
  const written = [
    ...new Set(pages.flatMap((page) => writtenBy(readFileSync(join(repoRoot, page), 'utf8')))),
  ];
  expect(written).toContain('data');
  // In a repository of its own: what somebody ignores on their machine does not count, and an unpacked archive is none.
  const clone = mkdtempSync(join(tmpdir(), 'ignored-'));
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'core.excludesFile=', ...args], { cwd: clone, encoding: 'utf8' });
    git('init', '--quiet');
    copyFileSync(join(repoRoot, '.gitignore'), join(clone, '.gitignore'));
    const taken = written.filter((path) => {
      try {
        git('check-ignore', '--quiet', path);
        return false;
      } catch {
        return true;
      }
    });
    expect(taken).toEqual([]);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
