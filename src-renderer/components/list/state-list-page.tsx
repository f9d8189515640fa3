import type { ReactNode } from 'react';
import type { ClusterReading } from '../cluster-read.tsx';
import { ReadingNotices } from '../reading-notices.tsx';
import { type Column, StateTable } from '../table/state-table.tsx';
import { ItemDrawer } from './item-drawer.tsx';
import { ListPage, type ListPageProps } from './list-page.tsx';
import { NothingListed } from './nothing-listed.tsx';
import css from './state-list.module.css';
import { ListBar, ListStrip } from './state-list-head.tsx';

type StateListPageProps<Answer extends ClusterReading, Item> = ListPageProps<Answer, Item> & {
  readonly columns?: readonly Column<Item>[];
  readonly nameWidth?: number;
  readonly whyHead?: string;
  /** In place of the table, for rows that are no table. */
  readonly rows?: ReactNode;
  /** Between the strip of states and the list. */
  readonly above?: (answer: Answer) => ReactNode;
  readonly drawer: (item: Item) => ReactNode;
};

/** A page that is one list of things that stand well or ill, with one of them open beside it. */
export function StateListPage<Answer extends ClusterReading, Item>(props: StateListPageProps<Answer, Item>) {
  const { query, list, columns = [], nameWidth, whyHead, rows, zero, above, drawer } = props;
  const { items, all, open } = list;
  return (
    <ListPage {...props}>
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
                  <StateTable
                    list={list}
                    columns={columns}
                    {...(nameWidth !== undefined && { nameWidth })}
                    {...(whyHead !== undefined && { whyHead })}
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
