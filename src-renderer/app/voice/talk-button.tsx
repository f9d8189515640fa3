import { ActionIcon } from '@mantine/core';
import { Suspense, useState } from 'react';
import { IconMicrophone } from '../../core/icons/icons.ts';
import { loadPart } from '../../core/load-part.tsx';
import { useSession } from '../../core/session.tsx';

const TalkDialog = loadPart(async () => (await import('./talk-dialog.tsx')).TalkDialog);

/** Opens the way to ask by voice; there only where speech is written down. */
export function TalkButton() {
  const { me } = useSession();
  const [open, setOpen] = useState(false);
  if (!me.voiceStt) return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        aria-label="Ask by voice"
        title="Ask by voice"
        onClick={() => setOpen(true)}
      >
        <IconMicrophone size={16} stroke={2} aria-hidden />
      </ActionIcon>
      {open && (
        <Suspense>
          <TalkDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
