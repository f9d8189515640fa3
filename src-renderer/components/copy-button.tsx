import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Icon } from '../app/icon.ts';

type CopyButtonProps = {
  /** Asked only when pressed, so that it is the address of that moment. */
  readonly text: () => string;
  /** What is copied, such as `Copy link`. */
  readonly label: string;
  readonly icon?: Icon;
};

/** How long "Copied" stays, in milliseconds. */
const saidMs = 1200;

/** Copies a text and says so in place. When the browser refuses, it says that. */
export function CopyButton({ text, label, icon: LabelIcon = IconCopy }: CopyButtonProps) {
  const [said, setSaid] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('Not copied');
    }
  };
  const Shown = said === 'Copied' ? IconCheck : LabelIcon;
  return (
    <Button onClick={copy} leftSection={<Shown size={14} stroke={2} aria-hidden />} miw={98}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}
