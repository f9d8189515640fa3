import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, makeFolderSync } from '../../../src-main/base/make-folder.ts';
import { repoRoot } from '../../support/repo-root.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'make-folder-'));
  writeFileSync(join(root, 'file'), '');
  symlinkSync('nowhere', join(root, 'dangling'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each([
  ['makeFolder', async (folder: string) => makeFolder(folder)],
  ['makeFolderSync', async (folder: string) => makeFolderSync(folder)],
])('%s', (name, make) => {
  it('makes a folder and those above it for this user only, and takes one that is there', async () => {
    const folder = join(root, name, 'b', 'c');
    await make(folder);
    await make(folder);
    for (const each of [folder, join(root, name, 'b')]) expect(statSync(each).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['/proc/x', /ENOENT/],
    ['/proc/x/y', /ENOENT/],
    ['file', /EEXIST/],
    ['file/in-it', /ENOTDIR/],
    ['dangling', /EEXIST/],
  ])('says at once that %s cannot be made', async (folder, code) => {
    await expect(make(folder.startsWith('/') ? folder : join(root, folder))).rejects.toThrow(code);
  });
});

it('is how every folder of the program is made: mkdir with `recursive` never returns below /proc', () => {
  const files = readdirSync(join(repoRoot, 'src-main'), { recursive: true, encoding: 'utf8' });
  const others = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      /\bmkdir(?:Sync)?\([^;]*recursive/.test(readFileSync(join(repoRoot, 'src-main', file), 'utf8')),
  );
  expect(others).toEqual([]);
});
