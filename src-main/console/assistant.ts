import type { ConnectRouter } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import { AskService } from '#shared/gen/platform/v1/ask_pb.js';
import type { Config } from '../config/index.ts';
import type { Acts } from '../features/acts/index.ts';
import { askService } from '../features/ask/index.ts';
import type { Audit } from '../features/audit/index.ts';
import { callOfQuestion, chatHandlers, createProposals } from '../features/chat/index.ts';
import type { GuardrailSettings } from '../features/guardrails/index.ts';
import type { Keys } from '../features/settings/index.ts';
import { readCatalogue } from '../features/troubleshoot/index.ts';
import type { RpcGate } from '../grpc/rpc-gate.ts';
import { createInference, type Inference } from '../sources/inference/index.ts';
import type { Gate } from './access.ts';
import { createRouteReads } from './read-routes.ts';
import type { ConsoleTables } from './tables.ts';

type Parts = {
  readonly db: Kysely<ConsoleTables>;
  readonly gate: Gate;
  /** The handlers of the routes; looked up when one is read. */
  readonly handlers: () => Handlers;
  readonly acts: Acts;
  readonly decide: GuardrailSettings['decide'];
  readonly audit: Audit;
  /** The settings as they are now. */
  readonly current: () => Config;
  readonly keys: Pick<Keys, 'value'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Puts the chat and Ask together: the tools over the routes, the acts it proposes, and the model as it is set now. */
export function openAssistant({ db, gate, handlers, acts, decide, audit, current, keys, now }: Parts) {
  const askerOf = createRouteReads({ gate, handlers, now });
  const inference = (): Inference | undefined => {
    const { inference: endpoint } = current();
    return endpoint === undefined
      ? undefined
      : createInference({ ...endpoint, apiKey: keys.value('INFERENCE_API_KEY') });
  };
  const proposals = createProposals({
    db,
    acts,
    decide,
    audit,
    now,
    admit: (caller) =>
      gate.admitCaller(
        { kind: 'write', allowlist: 'CONSOLE_CLUSTER_ADMINS', action: 'chat.confirm', target: 'body.target' },
        caller,
      ),
  });
  return {
    handlers: chatHandlers({ askerOf, proposals, inference, now }),
    addServices(router: ConnectRouter, rpcGate: RpcGate): void {
      const parts = { db, catalogue: readCatalogue, callOf: callOfQuestion };
      router.service(AskService, askService({ ...parts, gate: rpcGate, askerOf, inference, now }));
    },
  };
}
