import type { TextLine } from './clean-lines.ts';

/** A field of `kubectl describe` with what stands indented below it. */
export type Field = {
  readonly key: string;
  /** What stands behind the colon, and the lines below it that are no fields, such as of a long message. */
  value: string;
  readonly indent: number;
  readonly line: number;
  readonly fields: Field[];
  /** Every line below it, as it was printed. */
  readonly rows: TextLine[];
};

const field = /^( *)([^:]{1,200}?):(?:\s+(.*)|)$/;

/** Reads the fields of a description by their indentation; the first result is a field that holds all others. */
export function readFields(lines: readonly TextLine[]): Field {
  const root: Field = { key: '', value: '', indent: -1, line: 0, fields: [], rows: [] };
  const above: Field[] = [root];
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const [, spaces = '', key, value = ''] = field.exec(line.text) ?? [];
    const indent = key === undefined ? line.text.length - line.text.trimStart().length : spaces.length;
    while (above.length > 1 && (above.at(-1)?.indent ?? -1) >= indent) {
      // The lines of a message may begin further left than its field.
      if (key === undefined && indent === 0) break;
      above.pop();
    }
    for (const holder of above) holder.rows.push(line);
    const holder = above.at(-1) ?? root;
    if (key === undefined) {
      const last = holder.fields.at(-1);
      const target = last !== undefined && last.indent <= indent ? last : holder;
      if (target !== root)
        target.value = target.value === '' ? line.text.trim() : `${target.value}\n${line.text.trim()}`;
      continue;
    }
    const own: Field = {
      key: key.trim(),
      value: value.trim(),
      indent,
      line: line.number,
      fields: [],
      rows: [],
    };
    holder.fields.push(own);
    above.push(own);
  }
  return root;
}

/** Returns the first field of a name below another. */
export const fieldOf = (of: Field | undefined, key: string): Field | undefined =>
  of?.fields.find((each) => each.key === key);

const nothing = /^<(?:none|unset|unknown|nil|not set)>$|^$/;

/** Returns the value of a field; undefined where there is none, or where it says so. */
export function textOf(of: Field | undefined, key: string): string | undefined {
  const value = fieldOf(of, key)?.value;
  return value === undefined || nothing.test(value) ? undefined : value;
}

/** Returns the number a field begins with. */
export function numberOf(of: Field | undefined, key: string): number | undefined {
  const found = /^-?\d+/.exec(textOf(of, key) ?? '')?.[0];
  return found === undefined ? undefined : Number(found);
}

/** Returns pairs `a=b`, one a line or separated by commas, as labels and selectors are printed. */
export function pairsOf(of: Field | undefined, key: string): Record<string, string> {
  const own = fieldOf(of, key);
  const texts = [own?.value ?? '', ...(own?.fields.map(({ key, value }) => `${key}:${value}`) ?? [])];
  return Object.fromEntries(
    texts
      .flatMap((text) => text.split(/[\n,]/))
      .map((text) => /^\s*([\w./-]+)=(\S*)\s*$/.exec(text))
      .flatMap((found) => (found === null ? [] : [[found[1] ?? '', found[2] ?? '']])),
  );
}

/** Returns the rows of a table below a field, by the heads of its columns; a column that is not there is empty. */
export function tableOf(of: Field | undefined): Record<string, string>[] {
  const [head, ...rows] = (of?.rows ?? []).map(({ text }) => text.trim());
  if (head === undefined) return [];
  const names = head.split(/\s{2,}|\t+/).length > 1 ? head.split(/\s{2,}|\t+/) : head.split(/\s+/);
  return rows
    .filter((row) => !/^[-\s]+$/.test(row))
    .map((row) => {
      const wide = row.split(/\s{2,}|\t+/);
      const cells = wide.length > 1 ? wide : row.split(/\s+/);
      return Object.fromEntries(
        names.map((name, i) => [name, (i === names.length - 1 ? cells.slice(i).join('  ') : cells[i]) ?? '']),
      );
    });
}
