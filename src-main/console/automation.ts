import type { ConnectRouter } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { PlaybookService } from '#shared/gen/platform/v1/playbook_pb.js';
import { ResolveService } from '#shared/gen/platform/v1/resolve_pb.js';
import type { Acts } from '../features/acts/index.ts';
import type { SessionCommands } from '../features/agents/index.ts';
import type { Audit } from '../features/audit/index.ts';
import type { GuardrailSettings } from '../features/guardrails/index.ts';
import {
  deprecatedAlias,
  openPlaybooks,
  playbookHandlers,
  playbookService,
} from '../features/playbooks/index.ts';
import { type OpenTargetOf, sandboxTarget } from '../features/targets/index.ts';
import type { RpcGate } from '../grpc/rpc-gate.ts';
import type { Notices } from '../store/index.ts';
import type { ConsoleTables } from './tables.ts';

type Parts = {
  readonly db: Kysely<ConsoleTables>;
  readonly acts: Acts;
  readonly guardrails: GuardrailSettings;
  readonly targetOf: OpenTargetOf;
  readonly sandboxRuns: () => boolean;
  readonly commands: SessionCommands;
  readonly notices: Notices;
  readonly audit: Audit;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
};

/** Puts together what the platform does by itself: playbooks, with their routes and gRPC-web services. */
export function openAutomation({ guardrails, sandboxRuns, ...parts }: Parts, opened: AsyncDisposableStack) {
  const playbooks = openPlaybooks({
    ...parts,
    decide: guardrails.decide,
    // Where a hard guardrail asks for a person, it asks for a second one.
    needsOther: async (name) => {
      const { hard } = await guardrails.read();
      return hard.some((each) => each.class === name);
    },
    sandboxTarget: () => (sandboxRuns() ? sandboxTarget : undefined),
  });
  opened.defer(() => playbooks.close());
  return {
    playbooks,
    handlers: playbookHandlers(playbooks.triggers),
    addServices(router: ConnectRouter, gate: RpcGate): void {
      const service = playbookService(playbooks, gate);
      router.service(PlaybookService, service);
      router.service(ResolveService, deprecatedAlias(service));
    },
  };
}
