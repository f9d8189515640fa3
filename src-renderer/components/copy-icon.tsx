import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '../core/icon.ts';
import { IconCheck, IconCopy } from '../core/icons/icons.ts';
import css from './copy-icon.module.css';
import { useCopy } from './use-copy.ts';

type CopyIconProps = {
  readonly text: () => string;
  /** Accessible label, such as `Copy the hash`. */
  readonly label: string;
  readonly icon?: Icon;
};

/** A small button that copies, for beside an id, a digest or a command. */
export function CopyIcon({ text, label, icon: LabelIcon = IconCopy }: CopyIconProps) {
  const { said, copy } = useCopy(text);
  const Shown = said === 'Copied' ? IconCheck : LabelIcon;
  return (
    <Tooltip label={said ?? label} {...(said !== undefined && { opened: true })}>
      <ActionIcon className={css.copy} variant="transparent" onClick={copy} aria-label={label}>
        <Shown size={14} stroke={2} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
