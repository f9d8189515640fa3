import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { type Delivery, delivery } from '#shared/api/delivery.ts';
import { pageHref } from '#shared/page-address.ts';
import type { RowMoves } from '../../components/list/use-moving-rows.ts';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { RepoChip } from '../../components/repo-chip.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { StateStrip } from '../../components/state-strip.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import {
  changed,
  type DeliveryFilter,
  filterOf,
  gitopsAddress,
  narrowed,
  reposOf,
} from './delivery-filter.ts';
import { deliveryKey, deliveryStatuses, modeLabels, standingLabels, statusOf } from './delivery-labels.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import css from './gitops-page.module.css';
import { gitopsQuery } from './gitops-queries.ts';
import { NoDeliveries } from './no-deliveries.tsx';
import { useGitopsCommands } from './use-gitops-commands.ts';

/** How often deliveries are read again while the page is visible, in milliseconds. */
const everyMs = 30_000;

const none: readonly Delivery[] = [];

/** What is delivered, whether the newest revision is, and why not. All of it is in the address. */
export function GitopsPage() {
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const everything = useQuery({ ...gitopsQuery(), refetchInterval: every(everyMs) });
  const { q, repo, state } = address;
  const known = useMemo(() => reposOf(everything.data?.items ?? none), [everything.data]);
  // One that is not among those read unasked is read when somebody names it.
  const byName = repo !== null && everything.data !== undefined && !known.includes(repo) ? repo : undefined;
  const named = useQuery({
    ...gitopsQuery(byName),
    enabled: byName !== undefined,
    refetchInterval: every(everyMs),
  });
  const query = byName === undefined ? everything : named;
  const filter = useMemo(() => filterOf({ q, repo, state }), [q, repo, state]);
  const all = query.data?.items ?? none;
  const items = useMemo(() => narrowed(all, filter), [all, filter]);
  const open = address.record ?? undefined;
  const beside = open !== undefined;
  const input = useRef<HTMLInputElement>(null);
  const table = useRef<RowMoves<Delivery>>(null);

  const show = useCallback(
    (key: string) => go(gitopsAddress(filter, key), beside ? 'replace' : 'push'),
    [go, filter, beside],
  );
  const move = useCallback(
    (step: 1 | -1) => {
      const item = table.current?.move(step);
      if (item !== undefined && beside) show(deliveryKey(item));
    },
    [show, beside],
  );
  const close = () => {
    go(gitopsAddress(filter));
    if (open !== undefined) table.current?.focus(open);
  };
  const narrow = (next: DeliveryFilter, history: 'push' | 'replace' = 'push') =>
    go(gitopsAddress(next, open), history);
  const chosen = (change: Parameters<typeof changed>[1]) => changed(filter, change);
  useGitopsCommands({ items, input, move, show });

  return (
    <Page
      title="GitOps"
      sub={query.data === undefined || query.data.source === 'unavailable' ? '' : modeLabels[query.data.mode]}
      flush
      actions={
        <>
          <ReadingCoverage reading={query.data} whole="All deliveries read" />
          {items.length > 0 && (
            <ExportRows
              name="deliveries"
              label={`The ${formatCount(items.length)} shown`}
              columns={delivery.keyof().options}
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
                    href: pageHref(gitopsAddress(chosen({ state: filter.state === key ? undefined : key }))),
                  }))}
                  onChoose={(key) =>
                    narrow(
                      chosen({
                        state:
                          filter.state === key ? undefined : deliveryStatuses.find((known) => known === key),
                      }),
                    )
                  }
                />
              </div>
            )}
            {(all.length > 0 || byName !== undefined) && (
              <search className={css.bar} aria-label="Filter the deliveries">
                <TextFilter
                  ref={input}
                  label="Filter deliveries"
                  value={filter.q ?? ''}
                  onChange={(text) => narrow(chosen({ q: text === '' ? undefined : text }), 'replace')}
                />
                <RepoChip
                  value={filter.repo}
                  known={known}
                  onChange={(value) => narrow(chosen({ repo: value }))}
                />
                <span className={css.count} role="status">
                  {formatCount(items.length)}, worst first
                </span>
              </search>
            )}
            <div className={css.split}>
              <div className={css.list}>
                <div className={css.notices}>
                  <ReadingNotices query={query} />
                </div>
                {items.length === 0 ? (
                  <NoDeliveries answer={answer} filtered={all.length > 0} onClear={() => narrow({})} />
                ) : (
                  <DeliveriesTable
                    ref={table}
                    items={items}
                    open={open}
                    addressOf={(key) => pageHref(gitopsAddress(filter, key))}
                    onOpen={show}
                  />
                )}
              </div>
              {open !== undefined && (
                <DeliveryPanel
                  name={open}
                  delivery={all.find((item) => deliveryKey(item) === open)}
                  onClose={close}
                />
              )}
            </div>
          </div>
        )}
      </SourceRead>
    </Page>
  );
}

const formatCount = (count: number): string => `${count} ${count === 1 ? 'delivery' : 'deliveries'}`;
