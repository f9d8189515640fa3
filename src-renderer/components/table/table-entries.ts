/** A line of a list: a row, or the head of a group of rows. */
export type Entry<Row> =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'head'; readonly title: string; readonly count: number };

/** Rows as lines, without groups. */
export const plainEntries = <Row>(rows: readonly Row[]): readonly Entry<Row>[] =>
  rows.map((row) => ({ kind: 'row', row }));

/** Rows under a head for each group. Groups come in the order of their first row, rows keep theirs. */
export function groupedEntries<Row>(
  rows: readonly Row[],
  groupOf: (row: Row) => string,
): readonly Entry<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const title = groupOf(row);
    const known = groups.get(title);
    if (known === undefined) groups.set(title, [row]);
    else known.push(row);
  }
  return [...groups].flatMap(([title, inGroup]): Entry<Row>[] => [
    { kind: 'head', title, count: inGroup.length },
    ...inGroup.map((row): Entry<Row> => ({ kind: 'row', row })),
  ]);
}
