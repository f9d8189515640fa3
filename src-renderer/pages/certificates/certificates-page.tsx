import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { heldCertificate } from '#shared/api/cluster.ts';
import type { Listed } from '../../components/list/listed.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconCertificate } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { CertificateFacts } from './certificate-facts.tsx';
import { certificateName, chainLabel, commonName, daysLabel, useLabels } from './certificate-labels.ts';
import { type CertificateRow, certificateRows } from './certificate-row.ts';
import { certificatesQuery } from './certificates-query.ts';
import { ExpiryTimeline } from './expiry-timeline.tsx';
import { Validity } from './validity.tsx';

/** A certificate changes slowly. */
const everyMs = 60_000;

const none: readonly CertificateRow[] = [];

const listed: Listed<CertificateRow> = {
  tab: 'security',
  one: 'certificate',
  many: 'certificates',
  icon: IconCertificate,
  // A place may hold more than one.
  key: ({ namespace, found_in, fingerprint }) => `${namespace}/${found_in}/${fingerprint}`,
  title: certificateName,
  state: ({ state }) => state,
  why: ({ reason }) => reason,
  namespace: ({ namespace }) => namespace,
  searchText: ({ subject, issuer, fingerprint, found_in, use }) => [
    subject,
    issuer,
    fingerprint,
    found_in,
    useLabels[use],
  ],
  compare: (a, b) => a.days_left - b.days_left || (a.issuer ?? '').localeCompare(b.issuer ?? ''),
  order: 'worst first, then by expiry',
};

const columns: readonly TableColumn<CertificateRow>[] = [
  { id: 'use', title: 'Use', width: 86, value: ({ use }) => useLabels[use] },
  { id: 'namespace', title: 'Namespace', width: 130, value: ({ namespace }) => namespace },
  {
    id: 'timeLeft',
    title: 'Time left',
    from: 0,
    width: 140,
    value: ({ not_after }) => not_after,
    cell: ({ days_left }) => daysLabel(days_left),
    hover: ({ not_after }) => not_after,
  },
  {
    id: 'validity',
    title: 'Validity',
    width: widens(120, 220),
    from: fits.second,
    value: ({ not_before, not_after }) => `${not_before} to ${not_after}`,
    cell: (ca) => <Validity ca={ca} />,
  },
  {
    id: 'chain',
    title: 'Chain',
    width: 104,
    from: fits.second,
    value: chainLabel,
  },
  {
    id: 'issuer',
    title: 'Issuer',
    width: widens(140, 240),
    from: fits.second,
    quiet: true,
    value: ({ issuer }) => (issuer === undefined ? undefined : (commonName(issuer) ?? issuer)),
    hover: ({ issuer }) => issuer,
  },
];

/**
 * Certificates of Secrets, ConfigMaps and kubeconfigs, mesh CAs first among equals: when each expires, where it is, and,
 * of a mesh CA, whether its chain verifies.
 */
export function CertificatesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...certificatesQuery(target), refetchInterval: every(everyMs) });
  const { data } = query;
  const rows = useMemo(() => (data === undefined ? none : certificateRows(data)), [data]);
  const list = useStateList(listed, rows, { columns, nameWidth: 190 });
  return (
    <StateListPage
      title="Certificates"
      query={query}
      list={list}
      exported={[...heldCertificate.keyof().options, 'chain_ok']}
      zero={<p>Certificates are read from the Secrets, ConfigMaps and kubeconfigs of each namespace.</p>}
      above={() => <ExpiryTimeline list={list} />}
      drawer={(ca) => <CertificateFacts ca={ca} />}
    />
  );
}
