/** What a spreadsheet would take for a formula at the start of a cell. */
const formula = /^[=+\-@\t\r]/;

/**
 * Rows as CSV (RFC 4180) with a head line. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it: some of the words in a list were chosen by whoever was refused.
 */
export function csvOf<Row>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: unknown): string {
  const text = value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
