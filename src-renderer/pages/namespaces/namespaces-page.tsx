import { useQuery } from '@tanstack/react-query';
import { type NamespaceRow, namespaceRow } from '#shared/api/cluster.ts';
import { ObjectDialog } from '../../components/cluster/object-dialog.tsx';
import { formatShare } from '../../components/format-quantity.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { ShareBar } from '../../components/share-bar.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { namespacesQuery } from '../../core/namespace-queries.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { fullestQuota, listedNamespaces } from './listed-namespaces.ts';
import { NamespaceDetail } from './namespace-detail.tsx';
import css from './namespaces-page.module.css';

/** Refresh interval of the namespaces while the page is visible, in milliseconds; changes arrive sooner. */
const everyMs = 10_000;

const none: readonly NamespaceRow[] = [];

const nameWidth = { least: 168, most: 250 };

const columns: readonly TableColumn<NamespaceRow>[] = [
  {
    id: 'pods',
    title: 'Pods',
    width: 76,
    numbers: true,
    value: ({ counts: { pods }, pods_ready }) =>
      pods === undefined || pods_ready === undefined ? undefined : `${pods_ready}/${pods}`,
    rank: ({ counts: { pods } }) => pods,
    cell: ({ counts: { pods }, pods_ready }) =>
      pods === undefined || pods_ready === undefined ? <NotReadCell /> : `${pods_ready}/${pods}`,
    hover: ({ counts: { pods }, pods_ready }) =>
      pods === undefined || pods_ready === undefined ? undefined : `${pods_ready} of ${pods} pods ready`,
  },
  {
    id: 'restarts',
    title: 'Restarts',
    width: 76,
    numbers: true,
    from: fits.first,
    value: ({ restarts }) => restarts,
    cell: ({ restarts }) => restarts?.toLocaleString('en') ?? <NotReadCell width={20} />,
  },
  {
    id: 'warnings',
    title: 'Warnings, 1 h',
    width: 96,
    numbers: true,
    from: fits.first,
    value: ({ warning_events }) => warning_events,
    cell: ({ warning_events }) => warning_events?.toLocaleString('en') ?? <NotReadCell width={20} />,
  },
  {
    id: 'quota',
    title: 'Highest quota use',
    width: widens(148, 190),
    from: fits.second,
    value: (row) => fullestQuota(row)?.share,
    cell: (row) => <Quota row={row} />,
    hover: (row) => {
      const quota = fullestQuota(row);
      return quota === undefined
        ? undefined
        : `${quota.resource}: ${quota.used} of ${quota.hard}, quota ${quota.quota}`;
    },
  },
];

/** Shows the namespaces needing attention, the reasons, and what runs in each. Its state is kept in the address. */
export function NamespacesPage() {
  const target = useClusterTarget();
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const query = useQuery({ ...namespacesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listedNamespaces, query.data?.items ?? none, { columns, nameWidth });
  const { kind, name, record } = address;
  return (
    <>
      <StateListPage
        title="Namespaces"
        query={query}
        list={list}
        exported={namespaceRow.keyof().options}
        zero={<p>Every cluster has some, so this target lists none you may read.</p>}
        drawer={(row) => <NamespaceDetail row={row} />}
      />
      {kind !== null && name !== null && record !== null && (
        <ObjectDialog
          object={{ kind, name, ...(kind !== 'Namespace' && { namespace: record }) }}
          onClose={() => go(addressWith(address, { kind: undefined, name: undefined }))}
        />
      )}
    </>
  );
}

function Quota({ row }: { readonly row: NamespaceRow }) {
  const quota = fullestQuota(row);
  // Without any there is none, or it was not read.
  if (row.verdict.state === 'not_read' && row.quotas.length === 0) return <NotReadCell width={72} />;
  if (quota?.share === undefined) return <span className={css.none}>no quota</span>;
  return (
    <span className={css.quota}>
      <ShareBar share={quota.share} strained={quota.share >= 0.9} />
      <span className={css.share}>{formatShare(quota.share)}</span>
    </span>
  );
}
