import type { Connection } from '#shared/api/connections.ts';
import type { ConnectionStatus } from '#shared/api/connectors.ts';
import type { AuditDetail } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import {
  type AddressRules,
  type Network,
  ProbeError,
  type ProbeResult,
  probeService,
} from '../../../sources/service-probe/index.ts';
import { type Audit, audited } from '../../audit/index.ts';
import { probeTargetOf } from '../catalogue/endpoint.ts';
import { type Connectors, connectorOf } from '../catalogue/read-connectors.ts';
import type { Statuses } from './statuses.ts';
import { createTurns } from './turns.ts';

/** Probes at a time, over all who refresh. */
const atATime = 4;

/** The person who refreshes: the actor of each dial's audit record. */
export type Refreshing = {
  /** Email. */
  readonly by: string;
  /** Origin of the request, for the records. */
  readonly circumstances: AuditDetail;
  readonly signal: AbortSignal;
  /** Called with each result, as it comes. */
  readonly onStatus?: (status: ConnectionStatus) => void;
};

export type Refresh = (
  connections: readonly Connection[],
  refreshing: Refreshing,
) => Promise<ConnectionStatus[]>;

type Parts = {
  readonly connectors: () => Connectors;
  readonly statuses: Statuses;
  readonly audit: Audit;
  readonly network: Network;
  /** The rules as they are now. */
  readonly rules: () => Promise<AddressRules>;
};

/** Builds the refresh: the one thing here that dials. Every dial, and every refusal, has an audit record with its address. */
export function createRefresh({ connectors, statuses, audit, network, rules }: Parts): Refresh {
  const turns = createTurns(atATime);

  const probe = async (
    connection: Connection,
    { by, circumstances, signal }: Refreshing,
    judged: AddressRules,
  ): Promise<ProbeResult> => {
    const target = probeTargetOf(connectorOf(connectors(), connection.type), connection.settings);
    const act = { actor: by, action: 'connections.dial', target: connection.id };
    const detail = { ...circumstances, connection: connection.name, host: target.host, port: target.port };
    return probeService(target, {
      network,
      rules: judged,
      signal,
      async recordDial(dialled, connect) {
        try {
          return await audited(audit, act, { ...detail, dialled }, (event) => {
            event.record(`Dialled ${dialled} port ${target.port} for ${connection.name}.`);
            return connect().catch(explained);
          });
        } catch (error) {
          // The probe goes on with what it knows: the next address, or its own sentence.
          throw error instanceof ConsoleError && error.cause instanceof ProbeError ? error.cause : error;
        }
      },
      async recordRefusal(reason) {
        const event = await audit.begin(act, detail);
        await event.refuse(reason);
      },
    });
  };

  return async (connections, refreshing) => {
    const judged = await rules();
    return Promise.all(
      connections.map((connection) =>
        turns(async () => {
          const result = await probe(connection, refreshing, judged);
          const status = await statuses.keep(connection, result, refreshing.by);
          refreshing.onStatus?.(status);
          return status;
        }, refreshing.signal),
      ),
    );
  };
}

/** A dial that failed has its reason in the record. */
function explained(error: unknown): never {
  if (error instanceof ProbeError) throw new ConsoleError('Refused', error.message, {}, { cause: error });
  throw error;
}

/** Returns how a refresh ended, for its audit record. */
export function refreshSummary(statuses: readonly ConnectionStatus[]): string {
  const count = (...outcomes: ConnectionStatus['outcome'][]): number =>
    statuses.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return `Refreshed ${statuses.length}: ${count('reachable', 'protocol_not_probed')} reachable, ${count('failed')} failed, ${count('refused')} refused.`;
}
