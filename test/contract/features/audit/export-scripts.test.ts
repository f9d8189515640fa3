import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newChain, type TestChain } from '../../../support/audit-chain.ts';
import { dialects } from '../../../support/databases.ts';
import { repoRoot } from '../../../support/repo-root.ts';

const page = readFileSync(join(repoRoot, 'docs/audit.md'), 'utf8');
const scriptOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

const languages = [
  { language: 'python', program: 'python3', file: 'verify.py' },
  { language: 'js', program: process.execPath, file: 'verify.mjs' },
] as const;

/** Texts that JSON writers have been known to write differently. */
const oddTexts = [
  'plain',
  'quote " backslash \\ slash / apostrophe \'',
  'controls \u0001\b\t\n\f\r\u001f\u007f\u0080',
  'lines \u2028 \u2029 \u0085',
  'Zürich 東京 \u{1f600} \ufeff \u{10ffff} \uffff',
  'nul \0 and half \ud83d pairs',
  '</script> <!-- & \u00a0',
  ',"prev_hash":"x","seq":1,"summary":"',
  ',"outcome":"success"',
];

describe.each(languages)('the $language program of docs/audit.md', ({ language, program, file }) => {
  const skip = !has(program);
  let folder: string;
  let chain: TestChain;
  let lines: string[];
  const run = (exported: string) => {
    writeFileSync(join(folder, 'audit.ndjson'), exported);
    const { status, stdout, stderr } = spawnSync(
      program,
      [join(folder, file), join(folder, 'audit.ndjson')],
      {
        encoding: 'utf8',
        // What it reads is UTF-8 whatever the person's own language is.
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
      },
    );
    return { status, said: `${stdout}${stderr}`.trim() };
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'audit-scripts-'));
    writeFileSync(join(folder, file), scriptOf(language));
    const [sqlite] = dialects;
    if (sqlite === undefined) throw new Error('no dialect');
    chain = await newChain(sqlite);
    for (const text of oddTexts) {
      const event = await chain.trail.begin(
        { actor: text, action: text, target: text },
        {
          text,
          'a "key\\': [text, 0, -0, -1, 9_007_199_254_740_991, -9_007_199_254_740_991, true, false, [], {}],
          zebra: { b: { '': 1 }, a: 1, B: 2, _: 3, 10: 4, 9: 5 },
        },
      );
      await event.fail(text);
    }
    lines = [];
    for await (const piece of chain.trail.export()) lines.push(...piece.split('\n').slice(0, -1));
  });
  afterAll(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is twenty lines at most, but for the blank ones', () => {
    const written = scriptOf(language)
      .split('\n')
      .filter((line) => line.trim() !== '');
    expect(written.length).toBeGreaterThan(5);
    expect(written.length).toBeLessThanOrEqual(language === 'python' ? 20 : 26);
  });

  it.skipIf(skip)(`finds a real export intact${skip ? ` (skipped: no ${program})` : ''}`, () => {
    const hash = JSON.parse(lines.at(-1) ?? '').hash;
    expect(run(`${lines.join('\n')}\n`)).toEqual({
      status: 0,
      said: `intact: ${oddTexts.length} records, the last hash is ${hash}`,
    });
  });

  it.skipIf(skip).each([
    ['an edited record', 3, (all: string[]) => all.with(2, (all[2] ?? '').replace('failure', 'success'))],
    ['a text written otherwise', 3, (all: string[]) => all.with(2, (all[2] ?? '').replace('\\t', '\\u0074'))],
    ['another hash', 2, (all: string[]) => all.with(1, (all[1] ?? '').replace(/"hash":"../, '"hash":"zz'))],
    ['a removed record', 4, (all: string[]) => all.toSpliced(3, 1)],
    ['a first record removed', 1, (all: string[]) => all.slice(1)],
    ['a doubled record', 5, (all: string[]) => all.toSpliced(4, 0, all[3] ?? '')],
    ['two records swapped', 2, (all: string[]) => all.with(1, all[2] ?? '').with(2, all[1] ?? '')],
    ['a line that is no JSON', 6, (all: string[]) => all.with(5, '{')],
    ['a broken text', 6, (all: string[]) => all.with(5, '{"hash":"x","unreadable":"y"}')],
  ])('names %s: broken at record %i', (_what, seq, how) => {
    const { status, said } = run(`${how(lines).join('\n')}\n`);
    expect([status, said]).toEqual([1, `broken at record ${seq}`]);
  });
});
