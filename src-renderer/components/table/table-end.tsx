import { Button } from '@mantine/core';
import css from './data-table.module.css';

type TableEndProps = {
  /** Plural name of the rows, such as `runs`. */
  readonly many: string;
  readonly older: 'more' | 'reading' | 'failed' | 'none';
  /** Rows that were read. */
  readonly count: number;
  /** True while the rows stand in another order than they are read in: older ones are then read on request only. */
  readonly sorted: boolean;
  /** Text shown once everything has been loaded. */
  readonly all: string;
  readonly readOlder: () => void;
};

/** Shows the end of a list that is loaded page by page. */
export function TableEnd({ many, older, count, sorted, all, readOlder }: TableEndProps) {
  switch (older) {
    case 'failed':
      return (
        <p className={css.end}>
          Older {many} were not read.{' '}
          <Button size="xs" onClick={readOlder}>
            Retry
          </Button>
        </p>
      );
    case 'reading':
      return <p className={css.end}>Reading older {many}</p>;
    case 'more':
      return sorted ? (
        <p className={css.end}>
          Only the {count.toLocaleString('en')} {many} loaded are sorted.{' '}
          <Button size="xs" onClick={readOlder}>
            Load more
          </Button>
        </p>
      ) : null;
    case 'none':
      return <p className={css.end}>{all}</p>;
  }
}
