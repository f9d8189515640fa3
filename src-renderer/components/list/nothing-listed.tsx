import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reading } from '#shared/api/reading.ts';
import { FailurePanel } from '../failure-panel.tsx';
import css from './state-list.module.css';
import type { StateList } from './use-state-list.ts';

type NothingListedProps<Item> = {
  readonly list: StateList<Item>;
  readonly reading: Reading;
  /** Explains what would appear here and the next step, for a list that is empty without a filter. */
  readonly children: ReactNode;
};

/** Instead of an empty list: why it is empty, and whether that is a real zero. */
export function NothingListed<Item>({ list, reading, children }: NothingListedProps<Item>) {
  const { listed, all, clear } = list;
  if (all.length > 0) {
    return (
      <div className={css.none}>
        <FailurePanel
          state="idle"
          label="Empty"
          title={`No ${listed.one} matches`}
          actions={
            <Button variant="filled" onClick={clear}>
              Clear all filters
            </Button>
          }
        >
          <p>
            All {all.length} {listed.many} read were searched.
          </p>
        </FailurePanel>
      </div>
    );
  }
  const { complete } = reading;
  return (
    <div className={css.none}>
      <FailurePanel
        state={complete ? 'idle' : 'unknown'}
        label={complete ? 'Empty' : 'Not read'}
        title={complete ? `No ${listed.one} yet` : `No ${listed.one} in the data read`}
      >
        {children}
        <p>
          {complete
            ? 'No results; everything was checked.'
            : 'Not everything was read, so there may be some.'}
        </p>
      </FailurePanel>
    </div>
  );
}
