import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { FailurePanel } from '../failure-panel.tsx';
import { formatCount } from '../format-quantity.ts';
import { DataTable } from '../table/data-table.tsx';
import { formatOrder } from '../table/sort-rows.ts';
import type { TableColumn } from '../table/table-column.ts';
import { TextFilter } from '../text-filter.tsx';
import { createAddressFilter } from './address-filter.ts';
import css from './state-list.module.css';
import type { List } from './use-list.ts';
import type { ListAddress } from './use-list-address.ts';

/** Filter of a list that is narrowed by a text alone. */
export type TextListFilter = { readonly q?: string | undefined };

/** That filter in the address. */
export const textFilter = createAddressFilter(z.object({ q: z.string().optional() }));

/** Returns the rows in whose texts the filter's text is. */
export function withText<Row>(
  rows: readonly Row[],
  { q }: TextListFilter,
  textsOf: (row: Row) => readonly string[],
): readonly Row[] {
  const wanted = q?.toLowerCase() ?? '';
  return wanted === '' ? rows : rows.filter((row) => textsOf(row).join(' ').toLowerCase().includes(wanted));
}

type PlainListProps<Row> = {
  /** Names the table in what the person keeps of it. */
  readonly id: string;
  readonly label: string;
  readonly one: string;
  readonly many: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly list: List<Row>;
  readonly address: ListAddress<TextListFilter>;
  /** Above the rows: who may change them, what goes on. */
  readonly notices: ReactNode;
  /** The open row, beside the list. */
  readonly drawer: ReactNode;
};

/** A list of things of the console, narrowed by a text, with one of them open beside it. */
export function PlainList<Row>(props: PlainListProps<Row>) {
  const { id, label, one, many, columns, keyOf, list, address, notices, drawer } = props;
  const { rows } = list;
  return (
    <div className={css.room}>
      <search className={css.bar} aria-label={`Filter the ${many}`}>
        <TextFilter
          ref={list.input}
          label={`Filter ${many}`}
          value={address.filter.q ?? ''}
          onChange={(q) => address.narrow({ q }, 'replace')}
        />
        <span className={css.count} role="status">
          {formatCount(rows.length, one, many)}, {formatOrder(address.sort, columns, 'by name')}
        </span>
      </search>
      <div className={css.split}>
        <div className={css.list}>
          <div className={css.notices}>{notices}</div>
          {rows.length === 0 ? (
            <div className={css.none}>
              <FailurePanel
                state="idle"
                label="Empty"
                title={`No ${one} matches`}
                actions={
                  <Button variant="filled" onClick={address.clear}>
                    Clear the filter
                  </Button>
                }
              >
                <p>No results; everything was checked.</p>
              </FailurePanel>
            </div>
          ) : (
            <DataTable
              ref={list.moves}
              id={id}
              label={label}
              columns={columns}
              rows={rows}
              keyOf={keyOf}
              sort={address.sort}
              onSort={address.sortBy}
              onMove={list.move}
              open={address.open}
              addressOf={address.addressOf}
              onOpen={address.show}
              narrowed={address.narrowed}
            />
          )}
        </div>
        {drawer}
      </div>
    </div>
  );
}
