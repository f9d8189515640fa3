import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOfColumns, textOf } from '../../../../src-renderer/components/table/csv.ts';
import {
  formatOrder,
  nextSort,
  sortOf,
  sortRows,
  sortValue,
} from '../../../../src-renderer/components/table/sort-rows.ts';
import {
  chosenColumns,
  columnLayout,
  fittingColumns,
  type TableColumn,
} from '../../../../src-renderer/components/table/table-column.ts';
import { entriesOf, withEntries } from '../../../../src-renderer/components/table/table-part.ts';

type Pod = { readonly name: string; readonly restarts?: number; readonly state: 'failing' | 'healthy' };

const columns: readonly TableColumn<Pod>[] = [
  { id: 'name', title: 'Pod', link: true, width: 200, value: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    width: 100,
    value: ({ state }) => state,
    rank: ({ state }) => ['failing', 'healthy'].indexOf(state),
  },
  { id: 'restarts', title: 'Restarts, 1 h', width: 80, from: 600, value: ({ restarts }) => restarts },
  { id: 'end', title: 'End', from: 700 },
];

const pods: readonly Pod[] = [
  { name: 'web-10', state: 'failing', restarts: 3 },
  { name: 'web-9', state: 'healthy' },
  { name: 'api', state: 'failing', restarts: 12 },
];
const namesBy = (sort: string) => sortRows(pods, columns, sortOf(sort)).map(({ name }) => name);

describe('a table by one of its columns', () => {
  it('counts in names, and has rows without a value last either way', () => {
    expect(namesBy('name')).toEqual(['api', 'web-9', 'web-10']);
    expect(namesBy('restarts')).toEqual(['web-10', 'api', 'web-9']);
    expect(namesBy('-restarts')).toEqual(['api', 'web-10', 'web-9']);
  });

  it('keeps the order of rows that are equal, and goes by gravity where a column has one', () => {
    expect(namesBy('state')).toEqual(['web-10', 'api', 'web-9']);
    expect(namesBy('-state')).toEqual(['web-9', 'web-10', 'api']);
  });

  it('is in its own order when the address names no column that is there', () => {
    for (const sort of ['', '-', 'nothing', 'a b', '../x'])
      expect(namesBy(sort)).toEqual(pods.map((p) => p.name));
    expect(formatOrder(sortOf('nothing'), columns, 'worst first')).toBe('worst first');
    expect(formatOrder(sortOf('-restarts'), columns, 'worst first')).toBe('by restarts, 1 h');
  });

  it('goes by a press from ascending to descending to its own order', () => {
    const first = nextSort(undefined, 'name');
    const second = nextSort(first, 'name');
    expect([first, second].map((sort) => sort && sortValue(sort))).toEqual(['name', '-name']);
    expect(nextSort(second, 'name')).toBeUndefined();
    expect(nextSort(second, 'state')).toEqual({ column: 'state', descending: false });
  });

  it('is written to the address and read again the same', () => {
    fc.assert(
      fc.property(fc.constantFrom(...columns.map(({ id }) => id)), fc.boolean(), (column, descending) => {
        expect(sortOf(sortValue({ column, descending }))).toEqual({ column, descending });
      }),
    );
  });
});

describe('the columns of a table', () => {
  const shown = (hidden: readonly string[], room: number) =>
    fittingColumns(columns, hidden, room).map(({ id }) => id);

  it('are those the person did not hide, and the name always', () => {
    expect(chosenColumns(columns, ['name', 'state', 'gone']).map(({ id }) => id)).toEqual([
      'name',
      'restarts',
      'end',
    ]);
  });

  it('give way where there is no room, and come back for those that are hidden', () => {
    expect(shown([], 800)).toEqual(['name', 'state', 'restarts', 'end']);
    expect(shown([], 599)).toEqual(['name', 'state']);
    expect(shown(['state'], 599)).toEqual(['name', 'restarts']);
  });

  it('give way before the table scrolls sideways, that of the widest table first', () => {
    const wide = [
      { id: 'name', title: 'Name', width: 200, link: true },
      { id: 'zone', title: 'Zone', width: 200, from: 300 },
      { id: 'owner', title: 'Owner', width: 200, from: 500 },
      { id: 'age', title: 'Age', width: 200, from: 500 },
      { id: 'why', title: 'Why' },
    ] as const;
    const at = (view: number) => fittingColumns<object>(wide, [], view).map(({ id }) => id);
    expect(at(1000)).toEqual(['name', 'zone', 'owner', 'age', 'why']);
    expect(at(900)).toEqual(['name', 'zone', 'owner', 'why']);
    expect(at(600)).toEqual(['name', 'zone', 'why']);
    expect(at(400)).toEqual(['name', 'why']);
    expect(at(200)).toEqual(['name', 'why']);
  });
});

describe('the values of a table', () => {
  it('are exported under the titles of the columns, without those that hold none', () => {
    expect(csvOfColumns(columns, pods.slice(0, 2))).toBe(
      'Pod,State,"Restarts, 1 h"\r\nweb-10,failing,3\r\nweb-9,healthy,\r\n',
    );
  });

  it('are copied as one line a row, with tabs between cells', () => {
    expect(textOf(columns, [{ name: 'a\tb\nc', state: 'failing' }])).toBe('a b c\tfailing\t');
  });
});

describe('the parts of the address for tables', () => {
  it('name the columns of the page’s own table alone, and those of others after the table', () => {
    expect(entriesOf('name,-ports.port', undefined)).toEqual(['name']);
    expect(entriesOf('name,-ports.port', 'ports')).toEqual(['-port']);
    expect(entriesOf('%,a b,.x', undefined)).toEqual([]);
  });

  it('replace one table and leave the others', () => {
    expect(withEntries('name,-ports.port', undefined, ['-state'])).toBe('-state,-ports.port');
    expect(withEntries('name,-ports.port', 'ports', ['-name'])).toBe('-ports.name,name');
    expect(withEntries('name', undefined, [])).toBeUndefined();
  });
});

describe('the widths of columns', () => {
  it('are those the person gave, while one other column takes the rest', () => {
    const { widths, least } = columnLayout(columns, { name: 300 }, 800);
    expect(widths[0]).toBe(300);
    expect(widths.filter((width) => width === undefined)).toHaveLength(1);
    expect(least).toBeGreaterThan(420);
  });
});
