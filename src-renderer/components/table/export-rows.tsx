import { Button, Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconBraces, IconDownload, IconTable } from '../icons/icons.ts';
import { saveFile } from '../save-file.ts';
import { csvOf } from './csv.ts';
import css from './export-rows.module.css';

type ExportRowsProps<Row> = {
  /** Name of the file without its ending. */
  readonly name: string;
  /** What is exported, such as `The 12 deliveries shown`. */
  readonly label: string;
  readonly columns: readonly (keyof Row & string)[];
  readonly rows: readonly Row[];
  /** What the JSON holds when it is more than the rows. */
  readonly json?: unknown;
  /** More to take away, above the rows. */
  readonly more?: (close: () => void) => ReactNode;
};

/** The rows of a page as a file: CSV for a spreadsheet, JSON for a program. */
export function ExportRows<Row>(props: ExportRowsProps<Row>) {
  const { name, label, columns, rows, json = rows, more } = props;
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const offer = (save: () => void) => () => {
    save();
    close();
  };
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
            <UnstyledButton
              className={css.choice}
              onClick={offer(() => saveFile(`${name}.csv`, 'text/csv', csvOf(columns, rows)))}
            >
              <IconTable size={14} stroke={2} aria-hidden />
              CSV, for a spreadsheet
            </UnstyledButton>
            <UnstyledButton
              className={css.choice}
              onClick={offer(() =>
                saveFile(`${name}.json`, 'application/json', JSON.stringify(json, undefined, 2)),
              )}
            >
              <IconBraces size={14} stroke={2} aria-hidden />
              JSON
            </UnstyledButton>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
