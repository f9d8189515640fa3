import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import { repoRoot } from '../../support/repo-root.ts';

const renderer = join(repoRoot, 'src-renderer');
const sources = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({
    file: relative(renderer, join(renderer, file)).replaceAll('\\', '/'),
    text: readFileSync(join(renderer, file), 'utf8'),
  }));

/** What writes an address, or the browser's history, without the tab's target. */
const byHand = [
  /\bpageHref\b/,
  /(?:\/|['"])\?(?:tab|target)=/,
  /history\.(?:push|replace)State/,
  /useQueryStates?\b/,
];

/** The one function that writes addresses, what brings a kept one back after a sign-in, and what workspaces keep of one. */
const writers = ['core/address-provider.tsx', 'core/return-address.ts', 'core/kept-address.ts'];

/** The arguments of every call and every stream of a route in a text. */
function callsOf(text: string): { readonly id: string; readonly argumentText: string }[] {
  return [...text.matchAll(/\b(?:call|follow)\(\s*'([\w.]+)'/g)].map((match) => {
    let depth = 0;
    let end = match.index + match[0].indexOf('(');
    do {
      if (text[end] === '(') depth += 1;
      if (text[end] === ')') depth -= 1;
      end += 1;
    } while (depth > 0 && end < text.length);
    return { id: match[1] ?? '', argumentText: text.slice(match.index, end) };
  });
}

describe('addresses of the window', () => {
  it('are written by one function: no page, drawer or command builds one by hand', () => {
    const found = sources
      .filter(({ file }) => !writers.includes(file))
      .flatMap(({ file, text }) =>
        byHand.filter((rule) => rule.test(text)).map((rule) => `${file}: ${rule}`),
      );
    expect(found).toEqual([]);
  });

  it('say which cluster is read: every call of a route that takes a target names one', () => {
    const withTarget = new Set<string>(
      routeTable.flatMap((route: Route) =>
        route.query instanceof z.ZodObject && 'target' in route.query.shape ? [route.id] : [],
      ),
    );
    expect(withTarget.size).toBeGreaterThan(15);
    const calls = sources.flatMap(({ file, text }) => callsOf(text).map((each) => ({ file, ...each })));
    const unnamed = calls
      .filter(({ id, argumentText }) => withTarget.has(id) && !/\btarget\b/.test(argumentText))
      .map(({ file, id }) => `${file}: ${id}`);
    expect(unnamed).toEqual([]);
    expect(calls.filter(({ id }) => withTarget.has(id)).length).toBeGreaterThan(15);
  });
});
