import { Button } from '@mantine/core';
import { FailurePanel } from '../components/failure-panel.tsx';
import { sentenceOf } from '../core/failure.ts';
import { useFramePlace } from './frame.ts';
import css from './not-answering.module.css';

type NotAnsweringProps = { readonly error: Error; readonly onRetry: () => void; readonly retrying: boolean };

/** Nothing is known yet and the console does not say who is here: there is no page to keep. */
export function NotAnswering({ error, onRetry, retrying }: NotAnsweringProps) {
  useFramePlace(true);
  return (
    <main className={css.screen}>
      <FailurePanel
        state="unknown"
        label="Not read"
        title="The console did not say who is here"
        raw={sentenceOf(error)}
        actions={
          <Button variant="filled" onClick={onRetry} loading={retrying}>
            Retry
          </Button>
        }
      >
        <p>
          Asked <code>/api/me</code> at <code>{location.host}</code>. Nothing is shown until it answers. Check
          that the console is running.
        </p>
      </FailurePanel>
    </main>
  );
}
