import { Tooltip, UnstyledButton } from '@mantine/core';
import css from './not-read-note.module.css';

type NotReadNoteProps = {
  /** Names what was not read, such as `Rolled out and running not read`. */
  readonly label: string;
  /** Reason, shown on hover and focus. */
  readonly reason: string;
};

/** Stands in a panel's head for columns that were not read at all, so that no row needs to say it. */
export function NotReadNote({ label, reason }: NotReadNoteProps) {
  return (
    <Tooltip label={reason} multiline maw={320} openDelay={0}>
      <UnstyledButton className={css.note} aria-label={`${label}: ${reason}`}>
        <span className={css.hatch} aria-hidden="true" />
        {label}
      </UnstyledButton>
    </Tooltip>
  );
}
