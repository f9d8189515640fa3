import type { ReactNode } from 'react';
import { capitalised } from '#shared/text.ts';
import type { SourceQuery } from '../answer-view.tsx';
import { ClusterRead, type ClusterReading } from '../cluster-read.tsx';
import { formatCount } from '../format-quantity.ts';
import { Page } from '../page/page.tsx';
import { ReadingCoverage } from '../reading-coverage.tsx';
import { SkeletonRows } from '../skeleton.tsx';
import { ExportRows } from '../table/export-rows.tsx';
import type { StateList } from './use-state-list.ts';

/** Props shared by pages that list cluster resources. */
export type ListPageProps<Answer extends ClusterReading, Item> = {
  readonly title: string;
  readonly query: SourceQuery<Answer>;
  readonly list: StateList<Item>;
  /** Fields of an exported row, in order. */
  readonly exported: readonly (keyof Item & string)[];
  /** False where the things are not shown as a table, so that there are no columns to export. */
  readonly table?: boolean;
  /** Explains what would appear here, for an empty list. */
  readonly zero: ReactNode;
};

type FrameProps<Answer extends ClusterReading, Item> = Omit<ListPageProps<Answer, Item>, 'zero'> & {
  readonly children: (answer: Answer) => ReactNode;
};

/** The head of such a page (how many, how far they were read, export), and its content once there is one. */
export function ListPage<Answer extends ClusterReading, Item>(props: FrameProps<Answer, Item>) {
  const { title, query, list, exported, table = true, children } = props;
  const { listed, items, all } = list;
  return (
    <Page
      title={title}
      sub={spokenLabel(query.data, all.length)}
      flush
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          {items.length > 0 && (
            <ExportRows
              name={listed.many.replaceAll(' ', '-')}
              label={`The ${formatCount(items.length, listed.one, listed.many)} shown`}
              {...(table && { table: { id: listed.tab, columns: list.columns } })}
              fields={exported}
              rows={items}
            />
          )}
        </>
      }
    >
      <ClusterRead query={query} what={capitalised(listed.many)} skeleton={<SkeletonRows rows={10} />}>
        {children}
      </ClusterRead>
    </Page>
  );
}

/** Returns how many were read and from where, shown beside the title. */
function spokenLabel(reading: ClusterReading | undefined, count: number): string {
  if (reading === undefined || reading.source === 'unavailable') return '';
  const where = reading.source === 'bundle' ? 'in the bundle' : `in ${reading.target ?? 'the cluster'}`;
  return `${count} ${where}`;
}
