import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconLink } from '../../core/icons/icons.ts';
import { CopyIcon } from '../copy-icon.tsx';
import { KeyCaps } from '../key-caps.tsx';
import { formatRange, type LineRange } from './log-labels.ts';
import css from './log-part-bar.module.css';

type LogPartBarProps = {
  /** The job whose part is in view; undefined before the first. */
  readonly part: string | undefined;
  readonly picked: LineRange | undefined;
  /** The address of the picked lines, without origin. */
  readonly address: string;
  readonly said: string | undefined;
  readonly onCopy: () => void;
  readonly onUnpick: () => void;
};

/** Stays above the lines: whose part is in view, and what can be done with the lines that are picked. */
export function LogPartBar({ part, picked, address, said, onCopy, onUnpick }: LogPartBarProps) {
  const Icon = said === 'Copied' ? IconCheck : IconCopy;
  return (
    <div className={css.bar}>
      {part !== undefined && (
        <span className={css.part}>
          Job <b>{part}</b>
        </span>
      )}
      {picked !== undefined && (
        <span className={css.picked}>
          {picked.first === picked.last ? 'Line' : 'Lines'} {formatRange(picked)}
          <Button size="xs" onClick={onCopy} leftSection={<Icon size={14} stroke={2} aria-hidden />}>
            <span aria-live="polite">{said ?? 'Copy'}</span> <KeyCaps keys="c" />
          </Button>
          <CopyIcon
            text={() => `${location.origin}${address}`}
            label="Copy the link to these lines"
            icon={IconLink}
          />
          <Button size="xs" variant="subtle" onClick={onUnpick}>
            Clear
          </Button>
        </span>
      )}
    </div>
  );
}
