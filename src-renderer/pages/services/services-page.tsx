import { useQuery } from '@tanstack/react-query';
import { type ServiceRow, serviceRow } from '#shared/api/cluster.ts';
import { IconPlugConnected } from '../../components/icons/icons.ts';
import type { Listed } from '../../components/list/listed.ts';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import type { Column } from '../../components/table/state-table.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import { ServiceFacts } from './service-facts.tsx';
import { ofLabel, portsLabel, probeLabel } from './service-labels.ts';
import { servicesQuery } from './services-query.ts';

const everyMs = 10_000;

const none: readonly ServiceRow[] = [];

const listed: Listed<ServiceRow> = {
  tab: 'services',
  one: 'service',
  many: 'services',
  icon: IconPlugConnected,
  key: ({ namespace, name }) => `${namespace}/${name}`,
  title: ({ name }) => name,
  state: ({ state }) => state,
  why: ({ reason }) => reason,
  namespace: ({ namespace }) => namespace,
  object: ({ name, namespace }) => ({ kind: 'Service', name, namespace }),
  searchText: (service) => [service.type, service.workload?.name, portsLabel(service)],
};

const columns: readonly Column<ServiceRow>[] = [
  {
    head: 'Namespace',
    width: 128,
    wide: 180,
    drop: 'second',
    cell: ({ namespace }) => namespace,
    hover: ({ namespace }) => namespace,
  },
  { head: 'Type', width: 92, wide: 120, drop: 'third', cell: ({ type }) => type },
  {
    head: 'Ready',
    width: 60,
    numbers: true,
    cell: (service) => ofLabel(service.ready, service.desired) ?? (unread(service) && <NotReadCell />),
  },
  {
    head: 'Endpoints',
    width: 80,
    numbers: true,
    cell: (service) =>
      ofLabel(service.endpoints?.ready, service.endpoints?.total) ?? (unread(service) && <NotReadCell />),
  },
  {
    head: 'Readiness probe',
    width: 112,
    wide: 130,
    drop: 'first',
    cell: (service) => probeLabel(service) ?? (unread(service) && <NotReadCell width={44} />),
  },
  { head: 'Ports', width: 120, wide: 200, drop: 'third', cell: portsLabel, hover: portsLabel },
];

const unread = ({ state }: ServiceRow): boolean => state === 'not_read';

/** Who serves: ready of desired, endpoints, and whether a readiness probe backs what is called ready. */
export function ServicesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...servicesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none);
  return (
    <StateListPage
      title="Services"
      query={query}
      list={list}
      exported={serviceRow.keyof().options}
      columns={columns}
      nameWidth={200}
      zero={<p>A Service gives the pods it selects one name and address inside the cluster.</p>}
      drawer={(service) => <ServiceFacts service={service} />}
    />
  );
}
