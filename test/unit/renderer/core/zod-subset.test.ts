import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { routeTable } from '#shared/api/index.ts';
import type { Route } from '#shared/api/route.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { newFolder } from '../../../support/started-console.ts';
import { valuesOf } from '../../../support/zod-values.ts';

/** What a value in the wrong place may be. */
const odd: readonly unknown[] = [null, undefined, '', 'x', 0, -1, 1.5, true, {}, [], [null], { other: 1 }];

const folder = newFolder();
let table: readonly Route[];

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(repoRoot, 'src-shared/api/index.ts')],
    alias: { zod: join(repoRoot, 'src-renderer/core/zod-subset.ts') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const file = join(folder, 'table.mjs');
  writeFileSync(file, outputFiles[0]?.contents ?? '');
  ({ routeTable: table } = await import(pathToFileURL(file).href));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every schema of a route's row, by its place there. */
function schemasOf(row: Route): [string, z.ZodType][] {
  const { params, query, body, answer, events = {} } = row;
  return Object.entries({ params, query, body, answer, ...events }).flatMap(
    ([part, schema]): [string, z.ZodType][] =>
      schema === undefined || typeof schema === 'string' ? [] : [[`${row.id} ${part}`, schema]],
  );
}

const read = (schema: z.ZodType, value: unknown): unknown => {
  const { success, data } = schema.safeParse(value);
  return success ? { data } : 'refused';
};

describe('the schemas of the window', () => {
  it('read of every route what zod reads, and refuse what it refuses', () => {
    for (const row of routeTable) {
      const own = new Map(schemasOf(table.find(({ id }) => id === row.id) as Route));
      for (const [name, schema] of schemasOf(row)) {
        const values = fc.tuple(valuesOf(schema), fc.nat(), fc.constantFrom(...odd), fc.boolean());
        for (const [value, at, other, replaced] of fc.sample(values, { numRuns: 12, seed: 7 })) {
          const given = replaced ? withOther(value, at, other) : value;
          expect([name, given, read(own.get(name) as z.ZodType, given)]).toStrictEqual([
            name,
            given,
            read(schema, given),
          ]);
        }
      }
    }
  });

  it('say where a value was refused', () => {
    const { answer } = table.find(({ id }) => id === 'targets.list') as { answer: z.ZodType };
    const refused = answer.safeParse({ items: [{ id: 1 }], unmeasured: [] });
    expect(refused.error?.issues[0]?.path).toStrictEqual(['items', 0, 'id']);
  });
});

/** A value with one of its parts replaced. */
function withOther(value: unknown, at: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const names = Object.keys(value);
  const name = names[at % (names.length + 1)];
  if (name === undefined) return Array.isArray(value) ? [...value, other] : { ...value, added: other };
  const part = withOther(Reflect.get(value, name), Math.floor(at / (names.length + 1)), other);
  return Array.isArray(value)
    ? value.map((each, index) => (String(index) === name ? part : each))
    : { ...value, [name]: part };
}
