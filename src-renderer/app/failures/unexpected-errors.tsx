import { ActionIcon } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { failureReport } from '../../core/failure-report.ts';
import { IconX } from '../../core/icons/icons.ts';
import { PartNotLoaded } from '../../core/load-part.tsx';
import css from './unexpected-errors.module.css';

/** Errors that say nothing went wrong: a layout that settles in the next frame, and what was given up on purpose. */
function isHarmless(error: unknown, message: string): boolean {
  if (message.startsWith('ResizeObserver loop')) return true;
  return error instanceof PartNotLoaded || (error instanceof DOMException && error.name === 'AbortError');
}

/** Tells of errors that no part of the window took: what was asked for last may not have been done. */
export function UnexpectedErrors() {
  const [last, setLast] = useState<{ readonly error: unknown; readonly count: number }>();
  useEffect(() => {
    const take = (error: unknown, message: string): void => {
      if (!isHarmless(error, message)) setLast((before) => ({ error, count: (before?.count ?? 0) + 1 }));
    };
    const onError = (event: ErrorEvent): void => take(event.error ?? event.message, event.message);
    const onRejection = (event: PromiseRejectionEvent): void => take(event.reason, String(event.reason));
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }, []);
  if (last === undefined) return null;
  const { error, count } = last;
  return (
    <div className={css.slot}>
      <Banner
        look="failing"
        urgent
        icon={<Glyph state="failing" />}
        title="Something went wrong in the window."
        action={
          <>
            <CopyButton
              label="Copy details"
              text={() =>
                failureReport('The window', error, count === 1 ? '' : `\n  and ${count - 1} before`)
              }
            />
            <ActionIcon variant="transparent" onClick={() => setLast(undefined)} aria-label="Close">
              <IconX size={14} stroke={2} aria-hidden />
            </ActionIcon>
          </>
        }
      >
        What was done last may not have happened: look before you do it again.
      </Banner>
    </div>
  );
}
