import { useQuery } from '@tanstack/react-query';
import { type ServiceRow, serviceRow } from '#shared/api/cluster.ts';
import type { Listed } from '../../components/list/listed.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconPlugConnected } from '../../core/icons/icons.ts';
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

const columns: readonly TableColumn<ServiceRow>[] = [
  {
    id: 'namespace',
    title: 'Namespace',
    width: widens(128, 180),
    from: fits.second,
    value: ({ namespace }) => namespace,
    hover: ({ namespace }) => namespace,
  },
  { id: 'type', title: 'Type', width: widens(92, 120), from: fits.third, value: ({ type }) => type },
  {
    id: 'ready',
    title: 'Ready',
    width: 60,
    numbers: true,
    value: (service) => ofLabel(service.ready, service.desired),
    rank: ({ ready }) => ready,
    cell: (service) => ofLabel(service.ready, service.desired) ?? (unread(service) && <NotReadCell />),
  },
  {
    id: 'endpoints',
    title: 'Endpoints',
    width: 80,
    numbers: true,
    value: ({ endpoints }) => ofLabel(endpoints?.ready, endpoints?.total),
    rank: ({ endpoints }) => endpoints?.ready,
    cell: (service) =>
      ofLabel(service.endpoints?.ready, service.endpoints?.total) ?? (unread(service) && <NotReadCell />),
  },
  {
    id: 'readinessProbe',
    title: 'Readiness probe',
    width: widens(112, 130),
    from: fits.first,
    value: probeLabel,
    cell: (service) => probeLabel(service) ?? (unread(service) && <NotReadCell width={44} />),
  },
  {
    id: 'ports',
    title: 'Ports',
    width: widens(120, 200),
    from: fits.third,
    value: portsLabel,
    hover: portsLabel,
  },
];

const unread = ({ state }: ServiceRow): boolean => state === 'not_read';

/** Shows the services: ready of desired, endpoints, and whether readiness is backed by a probe. */
export function ServicesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...servicesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none, { columns, nameWidth: 200 });
  return (
    <StateListPage
      title="Services"
      query={query}
      list={list}
      exported={serviceRow.keyof().options}
      zero={<p>A Service gives the pods it selects one name and address inside the cluster.</p>}
      drawer={(service) => <ServiceFacts service={service} />}
    />
  );
}
