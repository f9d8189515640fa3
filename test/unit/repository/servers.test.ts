import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from '../../support/repo-root.ts';

/** The one place that opens servers, whose rule holds for all of them. */
const home = 'base/http-server.ts';

const root = join(repoRoot, 'src-main');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== home)
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Files with something that only the one place may have. */
const withAny = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe('every server of this program', () => {
  it('is made in one place, which keeps its peers from ending the process', () => {
    const imported =
      /import (?!type)\{[^}]*\b(?:createServer|createSecureServer|Server)\b(?<!type Server)[^}]*\} from 'node:(?:http|https|http2|net|tls)'/;
    expect(withAny(imported)).toEqual([]);
    expect(withAny(/\bcreate(?:Secure)?Server\(/)).toEqual([]);
    expect(withAny(/import \* as \w+ from 'node:(?:http|https|http2|net|tls)'/)).toEqual([]);
  });

  it('is answered through it, and not by listeners of its own', () => {
    expect(withAny(/\.on(?:ce)?\(\s*'(?:request|checkContinue|checkExpectation|upgrade)'/)).toEqual([]);
  });

  it('reads no body of a request without a bound', () => {
    const unbounded = withAny(/from 'node:stream\/consumers'/);
    // Of an archive's pipe, and of the standard input.
    expect(unbounded.toSorted()).toEqual(['commands/keys.ts', 'sandbox/code-host/zip.ts']);
  });

  it('reads the address of a request without throwing', () => {
    expect(withAny(/new URL\([^)]*\b(?:request|req|incoming)\.url/)).toEqual([]);
  });
});
