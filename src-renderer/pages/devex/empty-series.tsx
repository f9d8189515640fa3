import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { codeHostQuery } from '../../core/code-host.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './devex-page.module.css';

const settings = { tab: 'settings', section: 'codeHost' };

/** Instead of indicators: nothing is in the series yet, what will fill it, and that nothing can without a code host. */
export function EmptySeries() {
  const [, go] = usePageAddress();
  const href = useHref();
  const attachment = useQuery(codeHostQuery);
  const unattached = attachment.data?.configured === false;
  return (
    <div className={css.none}>
      <FailurePanel
        state="idle"
        label={unattached ? 'Not attached' : 'Empty'}
        title={unattached ? 'The series is empty: no code host is attached' : 'The series is empty'}
        actions={
          unattached && (
            <Button
              component="a"
              variant="filled"
              href={href(settings)}
              onClick={(event) => {
                if (openedByPlainClick(event)) go(settings);
              }}
            >
              Attach the code host
            </Button>
          )
        }
      >
        <p>
          The indicators are computed from the outcome of each workflow run. The first days appear once
          completed runs have been read.
        </p>
      </FailurePanel>
    </div>
  );
}
