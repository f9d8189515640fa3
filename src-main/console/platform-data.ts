import type { ConnectRouter } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import { EstateService } from '#shared/gen/estate/v1/estate_pb.js';
import { CapexService } from '#shared/gen/platform/v1/capex_pb.js';
import { GovernanceService } from '#shared/gen/platform/v1/governance_pb.js';
import { WorkspaceService } from '#shared/gen/platform/v1/workspace_pb.js';
import type { Acts } from '../features/acts/index.ts';
import type { SessionCommands } from '../features/agents/index.ts';
import type { AuditTrail } from '../features/audit/index.ts';
import { type Assets, capexService } from '../features/capex/index.ts';
import { dataGovernanceHandlers } from '../features/data-governance/index.ts';
import { dataLineageHandlers } from '../features/data-lineage/index.ts';
import type { DataSources } from '../features/data-sources/index.ts';
import { estateHandlers, estateService, governanceService } from '../features/estate/index.ts';
import { createGuardrails, guardrailHandlers } from '../features/guardrails/index.ts';
import { type DerivedFrom, intelligenceHandlers } from '../features/intelligence/index.ts';
import { judgementHandlers } from '../features/judgement/index.ts';
import { rulesReconHandlers } from '../features/rules-recon/index.ts';
import type { OpenTargetOf } from '../features/targets/index.ts';
import { createWorkspaceItems, workspaceService } from '../features/workspace/index.ts';
import type { RpcGate } from '../grpc/rpc-gate.ts';
import type { CodeHost } from '../sources/code-host/index.ts';
import type { ConsoleTables } from './tables.ts';

type Parts = {
  readonly db: Kysely<ConsoleTables>;
  readonly assets: Assets;
  /** The store of what the platform's agents and machines report: the sandbox's while it runs. */
  readonly platformDb: () => Kysely<ConsoleTables>;
  readonly dataSources: DataSources;
  readonly targetOf: OpenTargetOf;
  readonly codeHost: CodeHost;
  /** Routes whose answers figures are derived from. */
  readonly read: Omit<DerivedFrom, 'estate.governance'>;
  readonly audit: AuditTrail;
  readonly commands: SessionCommands;
  /** The registry of acts, which is built with the guardrails of these parts. */
  readonly acts: () => Acts;
  readonly authRequired: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Time for which a verdict on the audit chain is reused, in ms: it walks the newest records. */
const verdictHolds = 10_000;

/** Puts the features of the platform's data and estate together: their routes, and their gRPC-web services. */
export function platformData({
  db,
  assets,
  platformDb,
  dataSources,
  targetOf,
  codeHost,
  read,
  audit,
  commands,
  acts,
  authRequired,
  now,
}: Parts) {
  const connections = () => dataSources.connections.list();
  const estate = {
    targetOf,
    connections: async () => {
      const connectors = dataSources.connectors();
      const isRequired = (type: string, key: string): boolean =>
        connectors.get(type)?.credentials.some((each) => each.key === key && each.required) ?? false;
      return (await connections()).map(({ name, tenant, type, credentials }) => ({
        name,
        tenant,
        credentials: credentials.map((each) => ({ ...each, required: isRequired(type, each.key) })),
      }));
    },
  };
  const governance = estateHandlers(estate);
  const guardrails = createGuardrails({ db, now });
  const items = createWorkspaceItems(db, now);
  return {
    guardrails,
    handlers: {
      ...dataLineageHandlers({ db: platformDb, targetOf, connections, now }),
      ...dataGovernanceHandlers({ db: platformDb, connections, now }),
      ...judgementHandlers({ db: platformDb, now }),
      ...rulesReconHandlers({ db: platformDb, codeHost, connections, now }),
      ...governance,
      ...guardrailHandlers(guardrails),
      ...intelligenceHandlers({
        read: { ...read, ...governance },
        auditVerdict: () => audit.verdict(now() - verdictHolds),
        authRequired,
        harnessDb: platformDb,
        audit,
        commands,
        acts: {
          preview: (...given) => acts().preview(...given),
          perform: (...given) => acts().perform(...given),
        },
        decide: guardrails.decide,
        now,
      }),
    },
    workspace: items,
    addServices(router: ConnectRouter, gate: RpcGate): void {
      router.service(CapexService, capexService({ assets, targetOf, gate, now }));
      router.service(WorkspaceService, workspaceService(items, gate));
      router.service(EstateService, estateService(estate, gate));
      router.service(GovernanceService, governanceService(estate, guardrails, gate));
    },
  };
}
