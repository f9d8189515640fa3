import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Delivery, delivery } from '#shared/api/delivery.ts';
import { counted } from '#shared/text.ts';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { RepoChip } from '../../components/repo-chip.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { StateStrip } from '../../components/state-strip.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { formatOrder } from '../../components/table/sort-rows.ts';
import { TextFilter } from '../../components/text-filter.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconGitMerge } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { deliveryColumns } from './delivery-columns.tsx';
import { deliveriesPlan, narrowed, reposOf } from './delivery-filter.ts';
import { deliveryKey, deliveryStatuses, modeLabels, standingLabels, statusOf } from './delivery-labels.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import css from './gitops-page.module.css';
import { gitopsQuery } from './gitops-queries.ts';
import { NoDeliveries } from './no-deliveries.tsx';

/** Refresh interval of the deliveries while the page is visible, in milliseconds. */
const everyMs = 30_000;

const none: readonly Delivery[] = [];

const command = (item: Delivery) => ({
  id: `delivery.${deliveryKey(item)}`,
  title: item.name,
  detail: `delivery of ${item.repo ?? 'the cluster'}, ${item.detail}`,
  icon: IconGitMerge,
});

/** Shows what is delivered, whether it is the newest revision, and if not, why. Its state is kept in the address. */
export function GitopsPage() {
  const address = useListAddress(deliveriesPlan);
  const { filter, open, narrow } = address;
  const { every } = useReading();
  const target = useClusterTarget();
  const everything = useQuery({ ...gitopsQuery(target), refetchInterval: every(everyMs) });
  const { repo } = filter;
  const known = useMemo(() => reposOf(everything.data?.items ?? none), [everything.data]);
  // One that is not among those read unasked is read when somebody names it.
  const byName =
    repo !== undefined && everything.data !== undefined && !known.includes(repo) ? repo : undefined;
  const named = useQuery({
    ...gitopsQuery(target, byName),
    enabled: byName !== undefined,
    refetchInterval: every(everyMs),
  });
  const query = byName === undefined ? everything : named;
  const all = query.data?.items ?? none;
  const inOrder = useMemo(() => narrowed(all, filter), [all, filter]);
  const list = useList({ address, rows: inOrder, columns: deliveryColumns, keyOf: deliveryKey, command });
  const items = list.rows;
  const otherState = (key: string) =>
    filter.state === key ? undefined : deliveryStatuses.find((standing) => standing === key);

  return (
    <Page
      title="GitOps"
      sub={query.data === undefined || query.data.source === 'unavailable' ? '' : modeLabels[query.data.mode]}
      flush
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          {items.length > 0 && (
            <ExportRows
              name="deliveries"
              label={`The ${formatCount(items.length)} shown`}
              table={{ id: 'gitops', columns: deliveryColumns }}
              fields={delivery.keyof().options}
              rows={items}
            />
          )}
        </>
      }
    >
      <SourceRead query={query} what="Deliveries" skeleton={<SkeletonRows rows={8} />}>
        {(answer) => (
          <div className={css.room}>
            {all.length > 0 && (
              <div className={css.strip}>
                <StateStrip
                  name="Deliveries by state"
                  counts={deliveryStatuses.map((key) => ({
                    key,
                    ...standingLabels[key],
                    count: all.filter((item) => statusOf(item) === key).length,
                    chosen: filter.state === key,
                    href: address.addressWith({ state: otherState(key) }),
                  }))}
                  onChoose={(key) => narrow({ state: otherState(key) })}
                />
              </div>
            )}
            {(all.length > 0 || byName !== undefined) && (
              <search className={css.bar} aria-label="Filter the deliveries">
                <TextFilter
                  ref={list.input}
                  label="Filter deliveries"
                  value={filter.q ?? ''}
                  onChange={(q) => narrow({ q }, 'replace')}
                />
                <RepoChip value={filter.repo} known={known} onChange={(value) => narrow({ repo: value })} />
                <span className={css.count} role="status">
                  {formatCount(items.length)}, {formatOrder(address.sort, deliveryColumns, 'worst first')}
                </span>
              </search>
            )}
            <div className={css.split}>
              <div className={css.list}>
                <div className={css.notices}>
                  <ReadingNotices query={query} />
                </div>
                {items.length === 0 ? (
                  <NoDeliveries answer={answer} filtered={all.length > 0} onClear={address.clear} />
                ) : (
                  <DataTable
                    ref={list.moves}
                    id="gitops"
                    label="Deliveries"
                    columns={deliveryColumns}
                    rows={items}
                    keyOf={deliveryKey}
                    sort={address.sort}
                    onSort={address.sortBy}
                    onMove={list.move}
                    open={open}
                    addressOf={address.addressOf}
                    onOpen={address.show}
                  />
                )}
              </div>
              {open !== undefined && (
                <DeliveryPanel
                  name={open}
                  delivery={all.find((item) => deliveryKey(item) === open)}
                  onClose={list.close}
                />
              )}
            </div>
          </div>
        )}
      </SourceRead>
    </Page>
  );
}

const formatCount = (count: number): string => counted(count, 'delivery', 'deliveries');
