import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { AskedAct } from '../../core/act-queries.ts';
import { loadPart } from '../../core/load-part.tsx';

const ActDialog = loadPart(async () => (await import('./act-dialog.tsx')).ActDialog);

type PreviewActProps = {
  readonly asked: AskedAct;
  /** Called when the act was carried out. */
  readonly onDone?: () => void;
};

/** A button that opens the preview of one act. */
export function PreviewAct({ asked, onDone }: PreviewActProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Preview
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <ActDialog
            asked={asked}
            onClose={() => setOpened(false)}
            {...(onDone !== undefined && { onDone })}
          />
        </Suspense>
      )}
    </>
  );
}
