import type { TextLine } from './clean-lines.ts';

/** A row of a `kubectl get` table by the names of its columns. */
export type Row = { readonly cells: Readonly<Record<string, string>>; readonly line: TextLine };

/** Names of columns that are of two words. */
const pairs =
  /^(LAST|FIRST|NOMINATED|READINESS|ACCESS|NODE|MIN|MAX|ALLOWED|RECLAIM|CONTAINER) (SEEN|NODE|GATES|MODES|SELECTOR|AVAILABLE|UNAVAILABLE|DISRUPTIONS|POLICY|SCHEDULE|RUNTIME)(?= |$)/;

function columnsOf(head: string): { readonly name: string; readonly from: number }[] {
  const columns: { name: string; from: number }[] = [];
  for (let at = 0; at < head.length; ) {
    if (head[at] === ' ' || head[at] === '\t') {
      at += 1;
      continue;
    }
    const name = pairs.exec(head.slice(at))?.[0] ?? /^\S+/.exec(head.slice(at))?.[0] ?? '';
    // `LAST SCHEDULE` is one column, `LAST` of nothing else.
    const whole = name === 'LAST' && head.slice(at).startsWith('LAST SCHEDULE') ? 'LAST SCHEDULE' : name;
    columns.push({ name: whole, from: at });
    at += whole.length;
  }
  return columns;
}

/** Values that have a space inside: they are one cell. */
const together = /\b(?:\d{1,9} \(\S{1,20} ago\)|[\dmhdsy]{1,12} \(x\d{1,9}(?: over [\dmhdsy]{1,12})?\))/g;
const gap = '\u0001';

/**
 * Reads a table: by the places of its columns while they stand below their heads, else word by word. The last column of
 * events takes the rest of its row.
 */
export function readTable(lines: readonly TextLine[]): {
  readonly columns: readonly string[];
  readonly rows: Row[];
} {
  const [head, ...body] = lines;
  const columns = columnsOf(head?.text.trimStart() ?? '');
  const names = columns.map(({ name }) => name);
  const shift = (head?.text.length ?? 0) - (head?.text.trimStart().length ?? 0);
  const rows = body.flatMap((line): Row[] => {
    const text = line.text.slice(Math.min(shift, line.text.length - line.text.trimStart().length));
    const stands = columns.every(
      ({ from }, i) =>
        i === 0 ||
        (text.length < from ? i > 1 : /\s/.test(text[from - 1] ?? ' ') && (text[from] ?? ' ') !== '\t'),
    );
    const isAligned =
      stands &&
      columns
        .slice(1)
        .some(({ from }, i) => from - (columns[i]?.from ?? 0) > (columns[i]?.name.length ?? 0) + 1);
    const values = isAligned
      ? columns.map(({ from }, i) =>
          text.slice(from, i + 1 < columns.length ? columns[i + 1]?.from : undefined).trim(),
        )
      : wordsOf(text, names);
    if (values === undefined || values[0] === '') return [];
    return [{ cells: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])), line }];
  });
  return { columns: names, rows };
}

function wordsOf(text: string, names: readonly string[]): string[] | undefined {
  const bound = text.trim().replace(together, (found) => found.replaceAll(' ', gap));
  // Two spaces tell more than one: a cell may hold a space.
  const wide = bound.split(/\s{2,}|\t+/);
  const cells = (wide.length === names.length ? wide : bound.split(/\s+/)).map((cell) =>
    cell.replaceAll(gap, ' '),
  );
  const last = names.length - 1;
  if (cells.length > names.length)
    return names[last] === 'MESSAGE'
      ? [...cells.slice(0, last), cells.slice(last).join(' ')]
      : cells.slice(0, names.length);
  // Empty cells leave no word: those of a claim without a volume are in its middle.
  if (
    cells.length < names.length &&
    names.includes('VOLUME') &&
    names.includes('STATUS') &&
    names.includes('AGE')
  )
    return fitted(cells, names);
  return cells.length < 2 ? undefined : cells;
}

function fitted(cells: readonly string[], names: readonly string[]): string[] {
  const at = names.indexOf('STATUS');
  const rest = cells.slice(at + 1);
  return names.map((name, i) => {
    if (i <= at) return cells[i] ?? '';
    if (name === 'AGE') return rest.find((cell) => /^(?:\d+[ydhms])+$/.test(cell)) ?? '';
    if (name === 'STORAGECLASS') return rest.find((cell) => /^[a-z][\w.-]*$/.test(cell)) ?? '';
    return '';
  });
}
