import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageLists } from '../../../resources/build/bundled-packages.ts';
import { repoRoot } from '../../support/repo-root.ts';

const jsonOf = (path: string) => JSON.parse(readFileSync(join(repoRoot, path), 'utf8'));

it('the built notices name each package in a bundle, and each that is installed with the program', () => {
  const text = readFileSync(join(repoRoot, 'out/renderer/third-party-notices.txt'), 'utf8');
  const lists = readdirSync(join(repoRoot, packageLists));
  expect(lists.toSorted()).toEqual(['main.json', 'preload.json', 'renderer.json', 'studio.json']);
  const bundled = lists.flatMap((file): string[] => jsonOf(join(packageLists, file)));
  expect(bundled).toEqual(
    expect.arrayContaining(['fastify', 'react', '@mantine/core'].map((name) => `node_modules/${name}`)),
  );
  const installed = Object.keys(jsonOf('package.json').dependencies).map((name) => `node_modules/${name}`);
  for (const folder of [...bundled, ...installed]) {
    const { name, version } = jsonOf(join(folder, 'package.json'));
    expect(text).toContain(`\n${name} ${version}\nLicence: `);
  }
});
