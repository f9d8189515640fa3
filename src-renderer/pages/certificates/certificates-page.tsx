import { useQuery } from '@tanstack/react-query';
import { type MeshCa, meshCa } from '#shared/api/cluster.ts';
import type { Listed } from '../../components/list/listed.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconCertificate } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { CertificateFacts } from './certificate-facts.tsx';
import { certificateName, chainLabel, daysLabel } from './certificate-labels.ts';
import { certificatesQuery } from './certificates-query.ts';
import { ExpiryTimeline } from './expiry-timeline.tsx';
import { Validity } from './validity.tsx';

/** A certificate changes slowly. */
const everyMs = 60_000;

const none: readonly MeshCa[] = [];

const listed: Listed<MeshCa> = {
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
  searchText: ({ subject, fingerprint, found_in }) => [subject, fingerprint, found_in],
};

const columns: readonly TableColumn<MeshCa>[] = [
  { id: 'namespace', title: 'Namespace', width: 130, value: ({ namespace }) => namespace },
  {
    id: 'timeLeft',
    title: 'Time left',
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
    value: ({ chain_ok }) => chainLabel(chain_ok),
  },
];

/** The certificate authorities of the meshes: when each expires, which it is, and whether its chain verifies. */
export function CertificatesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...certificatesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none, { columns, nameWidth: 190 });
  return (
    <StateListPage
      title="Certificates"
      query={query}
      list={list}
      exported={meshCa.keyof().options}
      zero={<p>Mesh CAs are read from the Secrets and ConfigMaps of each namespace.</p>}
      above={() => <ExpiryTimeline list={list} />}
      drawer={(ca) => <CertificateFacts ca={ca} />}
    />
  );
}
