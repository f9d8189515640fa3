import { Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import css from './coverage.module.css';
import { coverageBars } from './coverage-bars.ts';

type CoverageProps = {
  /** Number of the `total` that were read. */
  readonly read: number;
  readonly total: number;
  /** The chip in words, such as `6 of 7 app states read`. */
  readonly label: string;
  /** The reason of each read that is missing. */
  readonly unmeasured: readonly string[];
};

/** Shows how much of the page was read. Never hidden; opens the list of reasons. */
export function Coverage({ read, total, label, unmeasured }: CoverageProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={360} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={css.chip} onClick={() => setOpened(!opened)} aria-haspopup="dialog">
          <span className={css.bars} aria-hidden="true">
            {coverageBars(read, total).map((wasRead, index) => (
              <i key={index} data-read={wasRead} />
            ))}
          </span>
          {label}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="What was not read">
        <div className={css.reasons} tabIndex={-1} data-autofocus>
          <h2>{unmeasured.length === 0 ? 'Everything was read' : 'Not read, and why'}</h2>
          <ul>
            {unmeasured.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
