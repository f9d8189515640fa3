import type { ReactNode } from 'react';
import { capitalised } from '#shared/text.ts';
import type { ClusterReading } from '../cluster-read.tsx';
import { ReadingNotices } from '../reading-notices.tsx';
import { DataTable } from '../table/data-table.tsx';
import { ItemDrawer } from './item-drawer.tsx';
import { ListPage, type ListPageProps } from './list-page.tsx';
import { NothingListed } from './nothing-listed.tsx';
import css from './state-list.module.css';
import { ListBar, ListStrip } from './state-list-head.tsx';

type StateListPageProps<Answer extends ClusterReading, Item> = ListPageProps<Answer, Item> & {
  /** In place of the table, for rows that are no table. */
  readonly rows?: ReactNode;
  /** Between the strip of states and the list. */
  readonly above?: (answer: Answer) => ReactNode;
  readonly drawer: (item: Item) => ReactNode;
};

/** A page that is one list of things that stand well or ill, with one of them open beside it. */
export function StateListPage<Answer extends ClusterReading, Item>(props: StateListPageProps<Answer, Item>) {
  const { query, list, rows, zero, above, drawer } = props;
  const { listed, items, all, open } = list;
  return (
    <ListPage {...props} table={rows === undefined}>
      {(answer) => (
        <div className={css.room}>
          {all.length > 0 && (
            <div className={css.strip}>
              <ListStrip list={list} />
            </div>
          )}
          {above?.(answer)}
          {all.length > 0 && <ListBar list={list} />}
          <div className={css.split}>
            <div className={css.list}>
              <div className={css.notices}>
                <ReadingNotices query={query} />
              </div>
              {items.length === 0 ? (
                <NothingListed list={list} reading={answer}>
                  {zero}
                </NothingListed>
              ) : (
                (rows ?? (
                  <DataTable
                    ref={list.moves}
                    id={listed.tab}
                    label={capitalised(listed.many)}
                    columns={list.columns}
                    rows={items}
                    keyOf={listed.key}
                    sort={list.sort}
                    onSort={list.sortBy}
                    onMove={list.move}
                    open={open}
                    addressOf={list.addressOf}
                    onOpen={list.show}
                    object={listed.object}
                    narrowed={list.narrowed}
                  />
                ))
              )}
            </div>
            {open !== undefined && (
              <ItemDrawer list={list} open={open}>
                {drawer}
              </ItemDrawer>
            )}
          </div>
        </div>
      )}
    </ListPage>
  );
}
