import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import { storeReading } from '#shared/api/reading.ts';
import { type Listing, type ObjectOf, resources } from '../../cluster-model/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { keepEdges, readEdges } from './edges.ts';
import type { DataLineageTables } from './store.ts';
import { type DeclaredConnection, topologyOf } from './topology.ts';

/** Flows of one answer: more is no picture any more. */
const mostShown = 5_000;

export type DataLineageParts = {
  readonly db: () => Kysely<DataLineageTables>;
  readonly targetOf: OpenTargetOf;
  /** The registry of connections. */
  readonly connections: () => Promise<readonly DeclaredConnection[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** `GET /api/data-lineage` and the door of its reports. */
export function dataLineageHandlers({
  db,
  targetOf,
  connections,
  now,
}: DataLineageParts): Handlers<'dataLineage.read' | 'dataLineage.reportEdges'> {
  return {
    'dataLineage.read': async ({ query }, { caller }) => {
      const { cluster } = await targetOf(query.target, caller);
      const [instances, observed, declared] = await Promise.all([
        cluster.list(resources.clientInstances),
        readEdges(db(), mostShown + 1),
        connections(),
      ]);
      const unmeasured = [
        ...instancesNotRead(instances),
        ...(observed.length > mostShown
          ? [`Only the ${mostShown.toLocaleString('en')} flows observed last are shown.`]
          : []),
      ];
      return {
        ...topologyOf(declared, instances.items.map(declaredInstance), observed.slice(0, mostShown)),
        ...storeReading(now(), unmeasured),
      };
    },

    'dataLineage.reportEdges': async ({ body }) => ({
      accepted: await keepEdges(db(), body.app ?? '', body.edges),
    }),
  };
}

type Instances = Listing<ObjectOf<typeof resources.clientInstances>>;

function instancesNotRead({ state, gaps }: Instances): readonly string[] {
  if (gaps.length > 0) return gaps;
  return state === 'read' || state === 'not_served' ? [] : ['The instances were not read.'];
}

const declaredInstance = ({ metadata, spec }: Instances['items'][number]) => ({
  name: metadata.name,
  namespace: metadata.namespace ?? '',
  tenant: spec.tenant,
});
