import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '../../core/icons/icons.ts';
import css from './data-table.module.css';
import type { Sort } from './sort-rows.ts';
import type { TableColumn } from './table-column.ts';

type SortHeadProps<Row> = {
  readonly column: TableColumn<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: () => void;
};

/** The head of a column: a button that sorts by it, where it holds values. */
export function SortHead<Row>({ column, sort, onSort }: SortHeadProps<Row>) {
  const { id, title, numbers = false, value } = column;
  if (value === undefined)
    return (
      <th scope="col" data-numbers={numbers}>
        {title}
      </th>
    );
  const direction = sort?.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending';
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" data-numbers={numbers} aria-sort={direction}>
      <UnstyledButton className={css.sort} data-direction={direction} onClick={onSort}>
        <span>{title}</span>
        <Arrow size={12} stroke={2} aria-hidden />
      </UnstyledButton>
    </th>
  );
}
