import { useQuery } from '@tanstack/react-query';
import { type EdgeRoute, edgeRoute } from '#shared/api/cluster.ts';
import type { Listed } from '../../components/list/listed.ts';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconHierarchy2 } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { HopList } from './hop-list.tsx';
import { RouteRows } from './route-rows.tsx';
import { routesQuery } from './routes-query.ts';

const everyMs = 10_000;

const none: readonly EdgeRoute[] = [];

const listed: Listed<EdgeRoute> = {
  tab: 'routes',
  one: 'route',
  many: 'routes',
  icon: IconHierarchy2,
  key: ({ id }) => id,
  // A route of the console is asked for by the console's own address, which has no host worth reading.
  title: ({ kind, host, path }) => (kind === 'console' ? path : `${host}${path}`),
  state: ({ state }) => state,
  why: ({ reason }) => reason,
  namespace: ({ namespace }) => namespace,
  object: ({ kind, name, namespace }) =>
    kind === 'console' || namespace === undefined ? undefined : { kind, name, namespace },
  searchText: ({ kind, name, hops }) => [kind, name, ...hops.map((hop) => hop.name)],
  // The studio is what everybody opens the console for.
  order: 'the studio, then worst first',
  foremost: ({ kind }) => kind === 'console',
};

/** Every route into the cluster, traced hop by hop to what answers, with the hop that fails marked. */
export function RoutesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...routesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none);
  return (
    <StateListPage
      title="Routes"
      query={query}
      list={list}
      exported={edgeRoute.keyof().options}
      rows={<RouteRows list={list} />}
      zero={<p>A route is a rule of an HTTPRoute or an Ingress: a host and a path that lead to a Service.</p>}
      drawer={(route) => <HopList route={route} />}
    />
  );
}
