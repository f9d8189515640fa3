import type { NamespaceRow } from '#shared/api/cluster.ts';
import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Steps } from '#shared/steps.ts';
import { paced } from '../../base/pace.ts';
import {
  type ControlPlaneListings,
  describeControlPlanes,
  describeEvents,
  describeNamespaces,
  describePod,
  isWarning,
  judgeRunning,
  type Kept,
  keepNothing,
  mostEvents,
  type NamespaceListings,
  type ReadControlPlane,
  type Running,
  wasReadWhole,
  worstFirst,
} from '../../cluster-model/index.ts';
import {
  type Cluster,
  clusterReading,
  createPlaneJudge,
  keepAnswers,
  keepWithPlanes,
  keptOf,
  listNamespaces,
  nowOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

type Listings = NamespaceListings & ControlPlaneListings;

/** Everything that runs, judged, with what it was judged from. */
type JudgedListings = {
  readonly listings: Listings;
  readonly running: Running;
  readonly planes: readonly ReadControlPlane[];
  /** Epoch ms. */
  readonly now: number;
  readonly kept: Kept;
};

/** Time for which the answers of health endpoints are waited for, in ms. */
const patience = 1_000;

/** `GET /api/namespaces` and `/api/namespaces/{name}`. */
export function namespaceHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.namespaces' | 'cluster.namespace'> {
  const judgePlanes = createPlaneJudge(now, patience);
  const judgedOf = keepAnswers<Listings, JudgedListings>(Object.values, (cluster, listings, at) =>
    judgeListings(listings, at, keptOf(cluster)),
  );
  const rowsOf = keepWithPlanes(
    ({ listings, running, now: at, kept }: JudgedListings, planes): Steps<NamespaceRow[]> =>
      describeNamespaces(listings, running, at, { planes, kept }),
  );
  const planesIn = async (cluster: Cluster, { planes, listings }: JudgedListings) =>
    (await judgePlanes(cluster, planes, listings.services.items)).map(({ row }) => row);
  return {
    'cluster.namespaces': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const listings = await listNamespaces(cluster);
      const judged = await judgedOf(cluster, listings, nowOf(cluster, now));
      return {
        items: await rowsOf(judged, await planesIn(cluster, judged)),
        ...clusterReading(target, Object.values(listings)),
      };
    },

    'cluster.namespace': async ({ params: { name }, query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const listings = await listNamespaces(cluster, name);
      const warnings = listings.events.items.filter(isWarning);
      const judged = await paced(judgeListings(listings, nowOf(cluster, now), keepNothing));
      const { running } = judged;
      const rows = await rowsOf(judged, await planesIn(cluster, judged));
      const row = rows.find((found) => found.name === name);
      if (row === undefined && wasReadWhole(listings.namespaces))
        throw new ConsoleError('NotFound', `There is no namespace ${name} in this cluster.`);
      return {
        namespace: row,
        workloads: running.workloads.map((found) => found.row),
        pods: running.pods.toSorted(worstFirst).map(describePod),
        events: describeEvents(warnings),
        ...clusterReading(target, Object.values(listings), shownOf(warnings.length)),
      };
    },
  };
}

function* judgeListings(listings: Listings, now: number, kept: Kept): Steps<JudgedListings> {
  const running = yield* judgeRunning(listings, { now, events: listings.events.items, kept });
  const planes = yield* describeControlPlanes(listings, { listings, workloads: running.workloads });
  return { listings, running, planes, now, kept };
}

/** Says what the page leaves out of this many events. */
const shownOf = (events: number): string[] =>
  events > mostEvents ? [`Only the newest ${mostEvents} of ${events} warning events are shown.`] : [];
