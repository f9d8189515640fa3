import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageOf } from '../../../resources/build/bundled-packages.ts';
import { installedPackages, noticesText, readNotice } from '../../../resources/build/third-party-notices.ts';
import { withoutLicenceText } from '../../../resources/build/without-licence-text.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'notices-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A package below the root; its `license` is MIT unless told otherwise. */
function packed(name: string, files: Readonly<Record<string, string>>, manifest: object = {}): string {
  const folder = join('node_modules', name);
  mkdirSync(join(root, folder), { recursive: true });
  const own = { name, version: '1.2.3', license: 'MIT', ...manifest };
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify(own));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, folder, file), text);
  return folder;
}

describe('the notice of a package', () => {
  it('has its name, version, licence and the text of its licence files', () => {
    const folder = packed('a', { LICENSE: 'Do as you like.\r\n', 'NOTICE.txt': 'By Anna.' });
    expect(readNotice(root, folder, {})).toEqual({
      name: 'a',
      version: '1.2.3',
      licence: 'MIT',
      text: 'Do as you like.\n\nBy Anna.',
    });
  });

  it('is the section of its readme that grants it, where there is no file', () => {
    const readme = '# A\n\n## License\n\nPermission is hereby granted, free.\n\n## More\n\nx\n';
    expect(readNotice(root, packed('a', { 'README.md': readme }), {}).text).toBe(
      'License\n\nPermission is hereby granted, free.',
    );
  });

  it('fails by name without a text, unless it is listed with one', () => {
    const folder = packed('bare', { 'README.md': '# Bare\n\n## License\n\nMIT\n' });
    expect(() => readNotice(root, folder, {})).toThrow('bare 1.2.3 (node_modules/bare) has no licence text');
    writeFileSync(join(root, 'OWN'), 'Its text.');
    expect(readNotice(root, folder, { bare: { reason: 'x', text: ['OWN'] } }).text).toBe('Its text.');
  });

  it('fails by name without a licence', () => {
    const folder = packed('none', { LICENSE: 'x' }, { license: undefined });
    expect(() => readNotice(root, folder, {})).toThrow('none 1.2.3 (node_modules/none) states no licence');
  });
});

describe('the notices', () => {
  it('are the same whatever order packages were found in, each once', () => {
    const notices = ['b', 'a', 'c'].map((name) => readNotice(root, packed(name, { LICENSE: name }), {}));
    const text = noticesText(notices);
    expect(text).toBe(noticesText([...notices, ...notices].reverse()));
    expect(text).toMatch(
      /^Third-party notices.*3 packages.*a 1\.2\.3\nLicence: MIT\n\na\n.*b 1\.2\.3.*c 1\.2\.3/s,
    );
  });

  it('are of what is installed with the program, not of developer tools or builds for one system', () => {
    const packages = {
      '': {},
      'node_modules/a': {},
      'node_modules/b': { dev: true },
      'node_modules/c': { os: ['linux'] },
    };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    expect(installedPackages(root)).toEqual(['node_modules/a']);
  });

  it('give a reason for each package that is listed without a text', () => {
    for (const { reason } of Object.values(withoutLicenceText)) expect(reason.length).toBeGreaterThan(20);
  });
});

describe('the package of a module', () => {
  it('is the nearest with a version, past folders that only say how modules are read', () => {
    const inner = join(packed('@x/y', {}), 'esm');
    mkdirSync(join(root, inner));
    writeFileSync(join(root, inner, 'package.json'), '{"type":"module"}');
    expect(packageOf(join(root, inner, 'index.js?commonjs'))).toBe('node_modules/@x/y');
  });

  it("is the bundler's for what it adds, and none for our own code", () => {
    expect(packageOf('\0vite/preload-helper.js')).toBe('node_modules/vite');
    expect(packageOf('\0rolldown/runtime.js')).toBe('node_modules/rolldown');
    expect(packageOf(join(root, 'src-main/cli.ts'))).toBeUndefined();
  });
});
