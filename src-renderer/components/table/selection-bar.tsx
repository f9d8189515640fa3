import { Button } from '@mantine/core';
import { formatCount } from '../format-quantity.ts';
import { type CopiedRows, CopyMenu } from './copy-menu.tsx';
import { textOf } from './csv.ts';
import css from './selection-bar.module.css';

type SelectionBarProps<Row> = {
  readonly copied: () => CopiedRows<Row>;
  readonly count: number;
  readonly onCopy: (text: string, format: string) => void;
  readonly onClear: () => void;
};

/** What can be done with the selected rows, above the end of the table. */
export function SelectionBar<Row>({ copied, count, onCopy, onClear }: SelectionBarProps<Row>) {
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
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </fieldset>
  );
}
