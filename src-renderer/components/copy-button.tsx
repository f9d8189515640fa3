import { Button } from '@mantine/core';
import type { Icon } from '../core/icon.ts';
import { IconCheck, IconCopy } from '../core/icons/icons.ts';
import { useCopy } from './use-copy.ts';

type CopyButtonProps = {
  /** Asked only when pressed, so that it is the address of that moment. */
  readonly text: () => string;
  /** Label of the button, such as `Copy link`. */
  readonly label: string;
  readonly icon?: Icon;
};

/** Copies a text and says so in place. When the browser refuses, it says that. */
export function CopyButton({ text, label, icon: LabelIcon = IconCopy }: CopyButtonProps) {
  const { said, copy } = useCopy(text);
  const Shown = said === 'Copied' ? IconCheck : LabelIcon;
  return (
    <Button onClick={copy} leftSection={<Shown size={14} stroke={2} aria-hidden />} miw={98}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}
