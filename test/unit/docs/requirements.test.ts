import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRequirements, readRequirements } from '../../../src-main/features/requirements/index.ts';
import { repoRoot } from '../../support/repo-root.ts';
import {
  mentions,
  numbersInTitles,
  numbersOf,
  provedNumbers,
  readExceptions,
  requirementsPage,
  textFiles,
} from '../../support/requirements-coverage.ts';

/** Requirements that are built and untested. Lower it when one is tested; it never rises. */
const mostUntested = 0;

const textOf = (file: string): string => readFileSync(join(repoRoot, file), 'utf8');
const documents = readRequirements();
const all = documents.flatMap(numbersOf);

describe('the requirements', () => {
  it.each(documents.map((document) => [document.title, document] as const))(
    'of %s have each number once, with none left out',
    (_, document) => {
      const numbers = numbersOf(document);
      const prefix = numbers[0]?.slice(0, 4) ?? '';
      const wanted = numbers.map((_each, index) => `${prefix}${String(index + 1).padStart(3, '0')}`);
      expect(numbers.toSorted()).toEqual(wanted);
      expect(numbers.length).toBeGreaterThan(20);
    },
  );

  it('are every line of their documents that begins a list', () => {
    for (const { file, read } of ['console.md', 'backends.md', 'routes.md'].map((name) => {
      const text = textOf(`docs/requirements/${name}`);
      return { file: text, read: numbersOf(parseRequirements(text)) };
    }))
      expect(read).toHaveLength(file.split('\n').filter((line) => /^\s*[-*] /.test(line)).length);
  });

  it('are there for each number that is mentioned anywhere', () => {
    const known = new Set(all);
    expect(mentions().filter(({ number }) => !known.has(number))).toEqual([]);
  });

  it('take the place of documents that a clone does not have', () => {
    // Written in pieces: this is no mention.
    const elsewhere = new RegExp(
      ['spec', 'design'].map((folder) => `\\b${folder}/[\\w-]+\\.md\\b`).join('|'),
    );
    const places = ['docs', 'proto', 'resources', 'src-main', 'src-renderer', 'src-shared', 'test'];
    expect(places.flatMap(textFiles).filter((file) => elsewhere.test(textOf(file)))).toEqual([]);
  });

  it('are named by a test each, or listed with the reason why not, and never both', () => {
    const proved = provedNumbers();
    const { notBuilt, untested } = readExceptions();
    const listed = [...notBuilt, ...untested];
    const excepted = new Set(listed);
    expect(all.filter((number) => !proved.has(number) && !excepted.has(number))).toEqual([]);
    expect(listed.filter((number) => proved.has(number))).toEqual([]);
    expect(listed.filter((number, index) => listed.indexOf(number) !== index)).toEqual([]);
    expect(untested.length).toBeLessThanOrEqual(mostUntested);
  });

  it('have their coverage written down as it is (npm run docs writes it)', () => {
    const page = textOf('docs/requirements/README.md');
    expect(page).toBe(requirementsPage(page));
  });
});

describe('a test', () => {
  it('names requirements in its title, and nowhere else', () => {
    // Written in pieces: these numbers are no mention.
    const [one, two] = ['CON', 'BCK'].map((prefix) => `${prefix}-${'001'}`);
    const source = [
      `it('answers (${one})', () => {});`,
      `it.each([1])('answers %i (${two})', () => {});`,
      `// ${one}`,
      `expect(text).toContain('${one}');`,
    ].join('\n');
    expect(numbersInTitles(source)).toEqual([one, two]);
  });
});
