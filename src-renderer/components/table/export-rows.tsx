import { Button, Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Icon } from '../../core/icon.ts';
import { IconBraces, IconColumns3, IconDownload, IconTable } from '../../core/icons/icons.ts';
import { saveFile } from '../save-file.ts';
import { csvOf, csvOfColumns } from './csv.ts';
import css from './export-rows.module.css';
import { chosenColumns, type TableColumn } from './table-column.ts';
import { useArrangement } from './use-arrangement.ts';

type ExportRowsProps<Row> = {
  /** Name of the file without its ending. */
  readonly name: string;
  /** Names what is exported, such as `The 12 deliveries shown`. */
  readonly label: string;
  /** The table that shows the rows, of which the person may have hidden columns. */
  readonly table?: { readonly id: string; readonly columns: readonly TableColumn<Row>[] };
  /** Every field of a row, in order. */
  readonly fields: readonly (keyof Row & string)[];
  readonly rows: readonly Row[];
  /** Content of the JSON export, if it is more than the rows. */
  readonly json?: unknown;
  /** More to take away, above the rows. */
  readonly more?: (close: () => void) => ReactNode;
};

/** The rows of a page as a file: CSV for a spreadsheet, JSON for a program. */
export function ExportRows<Row>(props: ExportRowsProps<Row>) {
  const { name, label, table, fields, rows, json = rows, more } = props;
  const [opened, setOpened] = useState(false);
  const { hidden } = useArrangement(table?.id ?? name);
  const close = () => setOpened(false);
  const choice = (title: string, Sign: Icon, save: () => void) => (
    <UnstyledButton
      className={css.choice}
      onClick={() => {
        save();
        close();
      }}
    >
      <Sign size={14} stroke={2} aria-hidden />
      {title}
    </UnstyledButton>
  );
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={more === undefined ? 260 : 340}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          leftSection={<IconDownload size={14} stroke={2} aria-hidden />}
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
        >
          Export
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Export">
        {more?.(close)}
        {rows.length > 0 && (
          <>
            <h2 className={css.heading}>{label}</h2>
            {table !== undefined &&
              choice('CSV, shown columns', IconColumns3, () =>
                saveFile(`${name}.csv`, 'text/csv', csvOfColumns(chosenColumns(table.columns, hidden), rows)),
              )}
            {choice(table === undefined ? 'CSV' : 'CSV, all fields', IconTable, () =>
              saveFile(`${name}.csv`, 'text/csv', csvOf(fields, rows)),
            )}
            {choice('JSON', IconBraces, () =>
              saveFile(`${name}.json`, 'application/json', JSON.stringify(json, undefined, 2)),
            )}
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
