import { Button, Popover, UnstyledButton } from '@mantine/core';
import { IconBraces, IconDownload, IconLink, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { type AuditItem, auditItem } from '#shared/api/audit.ts';
import { pathOf } from '../../app/api.ts';
import { CommandBlock } from '../../components/command-block.tsx';
import { csvOf } from '../../components/csv.ts';
import { saveFile } from '../../components/save-file.ts';
import { numberWords } from './audit-words.ts';
import css from './export-menu.module.css';

/** The whole chain for checking elsewhere, or the rows that were read for a spreadsheet. */
export function ExportMenu({ items }: { readonly items: readonly AuditItem[] }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} trapFocus returnFocus>
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
        <h2 className={css.heading}>The whole chain, to be verified elsewhere</h2>
        <a className={css.choice} href={pathOf('audit.export')} download onClick={close}>
          <IconLink size={14} stroke={2} aria-hidden />
          Every record, one JSON a line
        </a>
        <div className={css.command}>
          <CommandBlock command="operator-console audit export -o audit.ndjson" />
        </div>
        {items.length > 0 && (
          <>
            <h2 className={css.heading}>The {numberWords(items.length)} rows read so far</h2>
            <UnstyledButton
              className={css.choice}
              onClick={() => {
                saveFile('audit.csv', 'text/csv', csvOf(auditItem.keyof().options, items));
                close();
              }}
            >
              <IconTable size={14} stroke={2} aria-hidden />
              CSV, for a spreadsheet
            </UnstyledButton>
            <UnstyledButton
              className={css.choice}
              onClick={() => {
                saveFile('audit.json', 'application/json', JSON.stringify(items, undefined, 2));
                close();
              }}
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
