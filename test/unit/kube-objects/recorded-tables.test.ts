import { describe, expect, it } from 'vitest';
import { columnsOf, recordedTables } from '../../support/recorded-tables.ts';

// What a real API server printed (test/support/record-tables.ts) is what our columns print of the same objects.

const builtIn = recordedTables('built-in');
const custom = recordedTables('custom');

describe.each([...builtIn, ...custom].map((table) => [`${table.plural}.${table.group}`, table] as const))(
  '%s',
  (_, table) => {
    const { at, columns, rows } = table;
    const ours = columnsOf(table);

    it('has the columns of a real API server', () => {
      expect(ours.map(({ name, type, format, wide }) => ({ name, type, format, wide }))).toEqual(
        columns.map(({ name, type, format, priority }) => ({ name, type, format, wide: priority > 0 })),
      );
    });

    it('has the cells of a real API server', () => {
      // A server may answer more cells than columns (IPAddress): kubectl shows none of those.
      for (const { object, cells } of rows)
        expect(ours.map(({ cell }) => cell(object, at))).toEqual(cells.slice(0, columns.length));
    });
  },
);

it('covers 60 definitions in use in the field, and the built-in kinds with columns of their own', () => {
  expect(custom.length).toBeGreaterThanOrEqual(60);
  expect(builtIn.length).toBeGreaterThanOrEqual(50);
});
