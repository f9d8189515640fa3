import { ActionIcon, Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { reportMarkdown, type WrittenReport } from '#shared/troubleshoot/report-markdown.ts';
import { saveFile } from '../../components/save-file.ts';
import css from '../../components/table/export-rows.module.css';
import { useCopy } from '../../components/use-copy.ts';
import { IconBraces, IconCopy, IconDownload, IconMarkdown } from '../../core/icons/icons.ts';
import ownCss from './export-report.module.css';

type ExportReportProps = {
  /** Name of the file without its ending. */
  readonly name: string;
  readonly report: WrittenReport;
  /** Content of the JSON file: the answers as received from the console. */
  readonly json: unknown;
};

/** The report to take away: Markdown for people, JSON for a program. */
export function ExportReport({ name, report, json }: ExportReportProps) {
  const [opened, setOpened] = useState(false);
  const { said, copy } = useCopy(() => reportMarkdown(report));
  const offer = (save: () => void) => () => {
    save();
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={260} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          className={ownCss.open}
          variant="default"
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
          aria-label="Export the report"
          title="Export the report"
        >
          <IconDownload size={14} stroke={2} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Export the report">
        <h2 className={css.heading}>Findings, evidence, and what was not checked</h2>
        <UnstyledButton
          className={css.choice}
          onClick={offer(() => saveFile(`${name}.md`, 'text/plain', reportMarkdown(report)))}
        >
          <IconMarkdown size={14} stroke={2} aria-hidden />
          Markdown
        </UnstyledButton>
        <UnstyledButton className={css.choice} onClick={copy}>
          <IconCopy size={14} stroke={2} aria-hidden />
          <span aria-live="polite">{said ?? 'Copy as Markdown'}</span>
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
      </Popover.Dropdown>
    </Popover>
  );
}
