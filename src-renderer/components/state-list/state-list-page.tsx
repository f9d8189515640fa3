import type { ReactNode } from 'react';
import { Page } from '../../app/shell/page.tsx';
import { ClusterRead, type ClusterReading } from '../cluster-read.tsx';
import { ExportRows } from '../export-rows.tsx';
import { countWords } from '../quantity-words.ts';
import { ReadingCoverage } from '../reading-coverage.tsx';
import { ReadingNotices } from '../reading-notices.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import type { SourceQuery } from '../source-read.tsx';
import { ItemDrawer } from './item-drawer.tsx';
import { NothingListed } from './nothing-listed.tsx';
import { capital } from './sentence.ts';
import css from './state-list.module.css';
import { ListBar, ListStrip } from './state-list-head.tsx';
import { type Column, StateTable } from './state-table.tsx';
import type { StateList } from './use-state-list.ts';

type StateListPageProps<Answer extends ClusterReading, Item> = {
  readonly title: string;
  readonly query: SourceQuery<Answer>;
  readonly list: StateList<Item>;
  readonly exported: readonly (keyof Item & string)[];
  readonly columns?: readonly Column<Item>[];
  readonly nameWidth?: number;
  readonly whyHead?: string;
  /** In place of the table, for rows that are no table. */
  readonly rows?: ReactNode;
  /** What makes something one of these, for an empty list. */
  readonly zero: ReactNode;
  /** Between the strip of states and the list. */
  readonly above?: (answer: Answer) => ReactNode;
  readonly drawer: (item: Item) => ReactNode;
};

/** A page that is one list of things that stand well or ill, with one of them open beside it. */
export function StateListPage<Answer extends ClusterReading, Item>(props: StateListPageProps<Answer, Item>) {
  const { title, query, list, exported, columns = [], nameWidth, whyHead, rows, zero, above, drawer } = props;
  const { listed, items, all, open } = list;
  return (
    <Page
      title={title}
      sub={inWords(query.data, all.length)}
      flush
      actions={
        <>
          <ReadingCoverage reading={query.data} whole={`All ${listed.many} read`} />
          {items.length > 0 && (
            <ExportRows
              name={listed.many.replaceAll(' ', '-')}
              words={`The ${countWords(items.length, listed.one, listed.many)} shown`}
              columns={exported}
              rows={items}
            />
          )}
        </>
      }
    >
      <ClusterRead query={query} what={capital(listed.many)} skeleton={<SkeletonRows rows={10} />}>
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
      </ClusterRead>
    </Page>
  );
}

/** How many were read and where, beside the title. */
export function inWords(reading: ClusterReading | undefined, count: number): string {
  if (reading === undefined || reading.source === 'unavailable') return '';
  const where = reading.source === 'bundle' ? 'in the bundle' : `in ${reading.target ?? 'the cluster'}`;
  return `${count} ${where}`;
}
