import type { Caller, Handlers } from '#shared/api/handler.ts';
import { resources } from '../../cluster-model/index.ts';
import { clusterReading } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { posturesOf } from './posture.ts';

/** A connection with the places of its credentials; never a value. */
export type StoredConnection = {
  readonly name: string;
  readonly tenant: string;
  readonly credentials: readonly {
    readonly key: string;
    readonly set: boolean;
    readonly required: boolean;
    readonly kept_in?: 'keychain' | 'sealed' | undefined;
  }[];
};

export type EstateParts = {
  readonly targetOf: OpenTargetOf;
  readonly connections: () => Promise<readonly StoredConnection[]>;
};

/** Reads the posture of each namespace of a target. Throws `NotFound` for a target that does not exist. */
export async function readPostures(targetOf: OpenTargetOf, id: string | undefined, caller: Caller) {
  const target = await targetOf(id, caller);
  const { cluster } = target;
  const [namespaces, quotas, policies, deployments, statefulSets, daemonSets, cronJobs] = await Promise.all([
    cluster.list(resources.namespaces),
    cluster.list(resources.resourceQuotas),
    cluster.list(resources.networkPolicies),
    cluster.list(resources.deployments),
    cluster.list(resources.statefulSets),
    cluster.list(resources.daemonSets),
    cluster.list(resources.cronJobs),
  ]);
  const listings = { namespaces, quotas, policies, deployments, statefulSets, daemonSets, cronJobs };
  return { postures: posturesOf(listings), reading: clusterReading(target, Object.values(listings)) };
}

/** `GET /api/governance`. */
export function estateHandlers({ targetOf, connections }: EstateParts): Handlers<'estate.governance'> {
  return {
    'estate.governance': async ({ query }, { caller }) => {
      const [{ postures, reading }, kept] = await Promise.all([
        readPostures(targetOf, query.target, caller),
        connections(),
      ]);
      const ofPeople = postures.filter(({ system }) => !system);
      const unowned = ofPeople.filter(({ tenant }) => tenant === undefined).map(({ name }) => name);
      return {
        ownership: { namespaces: ofPeople.length, owned: ofPeople.length - unowned.length, unowned },
        credentials: credentialsOf(kept),
        namespaces: postures,
        ...reading,
      };
    },
  };
}

function credentialsOf(connections: readonly StoredConnection[]) {
  const all = connections.flatMap(({ credentials }) => credentials);
  const keptIn = (place: 'keychain' | 'sealed') =>
    all.filter(({ set, kept_in }) => set && kept_in === place).length;
  return {
    connections: connections.length,
    kept_in_keychain: keptIn('keychain'),
    kept_sealed: keptIn('sealed'),
    incomplete: connections.flatMap(({ name, tenant, credentials }) => {
      const missing = credentials.filter(({ set, required }) => required && !set).map(({ key }) => key);
      return missing.length === 0 ? [] : [{ connection: name, tenant, missing }];
    }),
  };
}
