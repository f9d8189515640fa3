import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { repoRoot } from '../../support/repo-root.ts';

const textOf = (path: string): string => readFileSync(join(repoRoot, path), 'utf8');
const versions = z.record(z.string(), z.string());
const manifestOf = (folder: string) =>
  z
    .object({
      dependencies: versions,
      devDependencies: versions.default({}),
      optionalDependencies: versions.default({}),
    })
    .parse(JSON.parse(textOf(join(folder, 'package.json'))));
const manifest = manifestOf('.');
const tools = ['packaging', 'proto', 'test/bench'].map(manifestOf);

/** First cells of the tables below the page's heading "In the programs". */
const listed = [
  ...(textOf('docs/dependencies.md').split('## In the programs')[1] ?? '').matchAll(
    /^\| `([^`]+)` \| (.+) \|$/gm,
  ),
].map(([, name = '', why = '']) => ({ name, why }));

/** Packages that the sources of the programs import, by name. */
function imported(): Set<string> {
  const names = new Set<string>();
  for (const folder of ['src-main', 'src-renderer', 'src-shared']) {
    for (const file of readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })) {
      // A configuration of the build is no part of what it builds.
      if (!/\.tsx?$/.test(file) || file.endsWith('vite.config.ts')) continue;
      const text = textOf(join(folder, file));
      for (const [, name = ''] of text.matchAll(
        /(?:\bfrom |\bimport\(|^import )'((?:@[\w-]+\/)?[a-z][\w.-]*)/gm,
      )) {
        names.add(name);
      }
    }
  }
  return names;
}

describe('docs/dependencies.md', () => {
  it('gives each package that ships its line, in order, and no other', () => {
    const names = listed.map(({ name }) => name);
    const shipped = new Set([...Object.keys(manifest.dependencies), ...imported()]);
    const declared = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(names.toSorted()).toEqual([...shipped].filter((name) => name in declared).toSorted());
  });

  it('gives each a reason', () => {
    for (const { name, why } of listed) expect([name, why.length > 8]).toEqual([name, true]);
  });

  it('tells the truth about versions: each is exact', () => {
    for (const { dependencies, devDependencies, optionalDependencies } of [manifest, ...tools]) {
      const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
      for (const [name, version] of Object.entries(all)) {
        expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
      }
    }
  });

  it('has the generator of messages in the version of what it generates for', () => {
    const [, proto] = tools;
    expect(proto?.dependencies['@bufbuild/protoc-gen-es']).toBe(manifest.dependencies['@bufbuild/protobuf']);
  });
});
