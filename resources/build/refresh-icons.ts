import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// node resources/build/refresh-icons.ts [icon names…]: writes src-renderer/core/icons/icons.ts anew: the icons that the
// window imports from it, and the names given. Tabler's packages are 89 MB for the few dozen that are drawn here.
const version = '3.51.0';
const root = join(import.meta.dirname, '../..');
const target = join(root, 'src-renderer/core/icons');

/** Names such as `IconCheck` in imports from the written file. */
function imported(): string[] {
  return readdirSync(join(root, 'src-renderer'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, 'src-renderer', file), 'utf8');
      return [...text.matchAll(/import \{([^}]+)\} from '[./\w-]*\/icons\/icons\.ts'/g)].flatMap(
        ([, names = '']) => names.match(/\bIcon\w+/g) ?? [],
      );
    });
}

type Drawing = readonly (readonly [string, Readonly<Record<string, string>>])[];

const folder = mkdtempSync(join(tmpdir(), 'icons-'));
try {
  const install = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--legacy-peer-deps',
    '--prefix',
    folder,
  ];
  execFileSync('npm', [...install, `@tabler/icons-react@${version}`], { stdio: 'inherit' });
  const tabler = join(folder, 'node_modules/@tabler/icons-react');
  const names = [...new Set([...imported(), ...process.argv.slice(2)])].toSorted();
  const lines = names.map((name) => {
    const text = readFileSync(join(tabler, `dist/esm/icons/${name}.mjs`), 'utf8');
    const node = /const __iconNode = (\[.*\]);$/m.exec(text)?.[1];
    if (node === undefined) throw new Error(`${name} is not written as expected.`);
    // Their keys are their places, which the component gives them.
    const drawing: Drawing = (JSON.parse(node) as Drawing).map(([tag, { key: _key, ...rest }]) => [
      tag,
      rest,
    ]);
    return `export const ${name} = ${name.endsWith('Filled') ? 'filled' : 'outline'}(${JSON.stringify(drawing)});`;
  });
  writeFileSync(
    join(target, 'icons.ts'),
    `// Written by resources/build/refresh-icons.ts from @tabler/icons-react ${version} (LICENSE beside this file).
import { filled, outline } from './draw-icon.ts';

${lines.join('\n')}
`,
  );
  copyFileSync(join(tabler, 'LICENSE'), join(target, 'LICENSE'));
  console.log(`${names.length} icons of @tabler/icons-react ${version}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
execFileSync('npx', ['biome', 'format', '--write', join(target, 'icons.ts')], {
  cwd: root,
  stdio: 'inherit',
});
