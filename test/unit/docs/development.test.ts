import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { routeTable } from '#shared/api/index.ts';
import { tabs } from '../../../src-renderer/core/tabs.ts';
import { developmentPage } from '../../support/development-page.ts';
import { repoRoot } from '../../support/repo-root.ts';

const page = readFileSync(join(repoRoot, 'docs/development.md'), 'utf8');
const foldersOf = (folder: string): string[] =>
  readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
/** Cells of the table of features, row by row. */
const features = page
  .slice(page.indexOf('## Features'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.split('|').length === 8)
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it('shows the table of rooms as it is (npm run docs writes it)', () => {
  expect(page).toBe(developmentPage(page));
});

it('lists every page by its names in menu and address', () => {
  const listed = features.map(([, menu, address]) => `${menu} ${address}`);
  for (const { tab, title } of tabs) expect(listed).toContain(`${title} \`${tab}\``);
});

it('lists every folder of features and of pages, and none that is not there', () => {
  const listed = features.flatMap((cells) => cells.slice(4).map((cell) => cell.replaceAll('`', '')));
  for (const name of foldersOf('src-main/features'))
    expect(listed.some((cell) => cell === `features/${name}` || cell.startsWith(`features/${name}/`))).toBe(
      true,
    );
  for (const name of foldersOf('src-renderer/pages')) expect(listed).toContain(`pages/${name}`);
  for (const cell of listed.filter((each) => each !== '')) {
    const root = cell.startsWith('features/') ? 'src-main' : 'src-renderer';
    expect(existsSync(join(repoRoot, root, cell)), cell).toBe(true);
  }
});

it('names routes that there are', () => {
  const named = features.flatMap(([, , , route]) => route?.match(/\/api\/[\w/{}-]+/g) ?? []);
  for (const path of named)
    expect(
      routeTable.some((route) => route.path === path || route.path.startsWith(`${path}/`)),
      path,
    ).toBe(true);
});
