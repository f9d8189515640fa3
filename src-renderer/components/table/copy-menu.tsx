import { ActionIcon, Button, Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Icon } from '../../core/icon.ts';
import { IconBraces, IconClipboardText, IconCode, IconCopy, IconTable } from '../../core/icons/icons.ts';
import { getCommand } from '../../core/kubectl.ts';
import { useCurrentTarget } from '../../core/target-queries.ts';
import css from './copy-menu.module.css';
import { csvOfColumns, textOf } from './csv.ts';
import type { TableColumn } from './table-column.ts';

/** What of a table is copied. */
export type CopiedRows<Row> = {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  /** Names the rows, such as `The 3 selected rows`. */
  readonly label: string;
  /** The object of the cluster that a row is about. */
  readonly object: ((row: Row) => ObjectRef | undefined) | undefined;
  /** True when the rows are all of their kind there are, so that a command may ask for all. */
  readonly whole: boolean;
};

type CopyMenuProps<Row> = {
  /** Asked when the menu opens. */
  readonly copied: () => CopiedRows<Row>;
  /** Copies, and says so. */
  readonly onCopy: (text: string, format: string) => void;
  /** A button with words instead of an icon. */
  readonly inWords?: boolean;
};

/** Copies rows as text, CSV, JSON, or as the kubectl command that prints them. */
export function CopyMenu<Row>({ copied, onCopy, inWords = false }: CopyMenuProps<Row>) {
  const [opened, setOpened] = useState(false);
  const toggle = () => setOpened(!opened);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        {inWords ? (
          <Button size="xs" aria-haspopup="dialog" onClick={toggle}>
            Copy as
          </Button>
        ) : (
          <ActionIcon
            className={css.open}
            variant="transparent"
            size={24}
            aria-label="Copy rows"
            title="Copy rows"
            aria-haspopup="dialog"
            onClick={toggle}
          >
            <IconCopy size={14} stroke={2} aria-hidden />
          </ActionIcon>
        )}
      </Popover.Target>
      <Popover.Dropdown>
        {opened && (
          <Choices
            {...copied()}
            onCopy={(text, format) => {
              onCopy(text, format);
              setOpened(false);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

type ChoicesProps<Row> = CopiedRows<Row> & { readonly onCopy: (text: string, format: string) => void };

function Choices<Row>({ columns, rows, label, object, whole, onCopy }: ChoicesProps<Row>) {
  const { target } = useCurrentTarget();
  const objects = object === undefined ? [] : rows.flatMap((row) => object(row) ?? []);
  const kubectl = objects.length === 0 ? undefined : getCommand(objects, target, whole);
  return (
    <>
      <h2 className={css.heading}>{label}</h2>
      <Choice icon={IconClipboardText} onChoose={() => onCopy(textOf(columns, rows), 'text')}>
        Text, tabs between cells
      </Choice>
      <Choice icon={IconTable} onChoose={() => onCopy(csvOfColumns(columns, rows), 'CSV')}>
        CSV
      </Choice>
      <Choice icon={IconBraces} onChoose={() => onCopy(JSON.stringify(rows, undefined, 2), 'JSON')}>
        JSON
      </Choice>
      {kubectl !== undefined && (
        <>
          <Choice icon={IconCode} onChoose={() => onCopy(kubectl.command, 'a kubectl command')}>
            kubectl command
          </Choice>
          {/* It scrolls, so it must be reachable by key. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by key. */}
          <pre className={css.command} tabIndex={0}>
            {kubectl.command}
          </pre>
          <p className={css.note}>{kubectl.note}</p>
        </>
      )}
    </>
  );
}

type ChoiceProps = { readonly icon: Icon; readonly onChoose: () => void; readonly children: ReactNode };

function Choice({ icon: Sign, onChoose, children }: ChoiceProps) {
  return (
    <UnstyledButton className={css.choice} onClick={onChoose}>
      <Sign size={14} stroke={2} aria-hidden />
      {children}
    </UnstyledButton>
  );
}
