import { Button } from '@mantine/core';
import { formatCount } from '../format-quantity.ts';
import { PinRows } from '../workspace/pins.tsx';
import { type CopiedRows, CopyMenu } from './copy-menu.tsx';
import { textOf } from './csv.ts';
import css from './selection-bar.module.css';

type SelectionBarProps<Row> = {
  readonly copied: () => CopiedRows<Row>;
  readonly count: number;
  readonly onCopy: (text: string, format: string) => void;
  /** Where rows open; what does not open is not pinned. */
  readonly addressOf: ((key: string) => string) | undefined;
  readonly keyOf: (row: Row) => string;
  readonly onClear: () => void;
};

/** What can be done with the selected rows, above the end of the table. */
export function SelectionBar<Row>(props: SelectionBarProps<Row>) {
  const { copied, count, onCopy, addressOf, keyOf, onClear } = props;
  const copyText = () => {
    const { columns, rows } = copied();
    onCopy(textOf(columns, rows), 'text');
  };
  return (
    <fieldset className={css.bar} aria-label="Selected rows">
      <span className={css.count}>{formatCount(count, 'row')} selected</span>
      <Button size="xs" onClick={copyText}>
        Copy
      </Button>
      <CopyMenu copied={copied} onCopy={onCopy} inWords />
      {addressOf !== undefined && (
        <PinRows
          rows={() => pinnedOf(copied(), (row) => addressOf(keyOf(row)))}
          count={count}
          onPinned={onClear}
        />
      )}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </fieldset>
  );
}

/** What the selected rows are pinned as: the text of the column that links to each. */
function pinnedOf<Row>({ columns, rows }: CopiedRows<Row>, addressOf: (row: Row) => string) {
  const name = columns.find(({ link }) => link === true) ?? columns[0];
  return rows.map((row) => ({ title: String(name?.value?.(row) ?? ''), address: addressOf(row) }));
}
