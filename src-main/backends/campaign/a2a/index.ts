import { A2A_VERSION_HEADER, AgentCard, formatSSEErrorEvent, formatSSEEvent } from '@a2a-js/sdk';
import {
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
  validateVersion,
} from '@a2a-js/sdk/server';
import {
  type AnyRequest,
  type AnyResponse,
  answerJson,
  type PlainRoute,
  RouteRefused,
  readBody,
  writeHead,
} from '../../serving/index.ts';
import { sendPieces } from '../media/send-pieces.ts';
import { type Caller, type CampaignParts, noSession } from '../parts.ts';
import { agentCard } from './agent-card.ts';
import { type AgentParts, campaignAgent } from './executor.ts';
import { checkedParams, RpcRefused, type RpcRequest, readRpcRequest, rpcCodes } from './rpc-request.ts';
import { taskStore } from './task-store.ts';

const largestRequest = 64 * 1024;

/**
 * GET `/.well-known/agent-card.json`, open, and POST `/a2a` (BCK-027, BCK-028, BCK-042): JSON-RPC of A2A 1.0 for a
 * session whose token is in the bearer header; a cookie or a token in the address is refused with 401. Failures of a call are errors of
 * JSON-RPC with status 200, as the protocol's own servers answer them.
 */
export function a2aRoutes(parts: CampaignParts & Pick<AgentParts, 'answerMs'>): PlainRoute[] {
  const { publicBaseUrl } = parts.config;
  // The handler reads capabilities and versions of the card; the address in it is for callers.
  const card = agentCard(publicBaseUrl ?? 'http://localhost');
  const handler = new DefaultRequestHandler(
    card,
    taskStore(),
    campaignAgent(parts),
    new DefaultExecutionEventBusManager(),
    undefined,
    undefined,
    undefined,
    undefined,
    // A bus kept for a caller who may never answer is never let go of; the next message of the task opens another.
    { keepBusAliveStates: [] },
  );
  const transport = new JsonRpcTransportHandler(handler);
  /** The answer of JSON-RPC for what a call threw. What nobody meant is logged, and not told. */
  const failed = (rpc: RpcRequest | undefined) => (thrown: unknown) => {
    const error = rpcErrorOf(thrown);
    if (error.code === rpcCodes.internal) parts.log.error({ err: thrown }, 'a call of the agent failed');
    return { jsonrpc: '2.0', id: rpc?.id ?? null, error };
  };
  return [
    {
      method: 'GET',
      path: '/.well-known/agent-card.json',
      answer(request, response) {
        const shown = publicBaseUrl === undefined ? agentCard(ownAddress(request)) : card;
        answerJson(response, 200, jsonOf(AgentCard.toJSON(shown)));
      },
    },
    {
      method: 'POST',
      path: '/a2a',
      async answer(request, response) {
        const caller = await parts.callerOf(request, { bearerOnly: true });
        if (caller === undefined) {
          throw new RouteRefused(401, noSession, { 'www-authenticate': 'Bearer' });
        }
        let rpc: RpcRequest | undefined;
        try {
          rpc = await readRequest(request);
          const context = contextOf(request, caller);
          validateVersion(context.requestedVersion, card, 'JSONRPC');
          const result = await transport.handle({ ...rpc, params: checkedParams(rpc) }, context);
          if (Symbol.asyncIterator in result) await answerStream(response, result, failed(rpc));
          else answerJson(response, 200, result);
        } catch (error) {
          if (error instanceof RouteRefused || response.headersSent) throw error;
          answerJson(response, 200, failed(rpc)(error));
        }
      },
    },
  ];
}

async function readRequest(request: AnyRequest): Promise<RpcRequest> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json')
    throw new RpcRefused(rpcCodes.contentType, 'A request to this agent is application/json.');
  return readRpcRequest(await readBody(request, largestRequest));
}

function contextOf(request: AnyRequest, { userId }: Caller): ServerCallContext {
  const version = request.headers[A2A_VERSION_HEADER.toLowerCase()];
  return new ServerCallContext({
    user: { isAuthenticated: true, userName: userId },
    // None is the version before the header was (A2A 1.0, 3.6.2); this agent does not speak it, and says so.
    ...(typeof version === 'string' && version !== '' ? { requestedVersion: version } : {}),
  });
}

/**
 * Events of a task (server-sent events, A2A 1.0, 9.4.2); a failure before the first one is answered as of any other call. A task goes on
 * when its reader leaves: the SDK keeps an event in the task as it is read here, so that the rest is read without the reader.
 */
async function answerStream(
  response: AnyResponse,
  events: AsyncGenerator<object, void, undefined>,
  failed: (thrown: unknown) => object,
): Promise<void> {
  const first = await events.next();
  writeHead(response, 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    'x-content-type-options': 'nosniff',
    'x-accel-buffering': 'no',
  });
  const lines = async function* (): AsyncGenerator<string, void, undefined> {
    if (first.done === true) return;
    yield formatSSEEvent(first.value);
    try {
      // Not by for-await, which would end the events with the reader.
      for (let next = await events.next(); next.done !== true; next = await events.next())
        yield formatSSEEvent(next.value);
    } catch (error) {
      yield formatSSEErrorEvent(failed(error));
    }
  };
  try {
    await sendPieces(response, lines());
  } finally {
    void readOut(events, failed);
  }
}

async function readOut(
  events: AsyncGenerator<object, void, undefined>,
  failed: (thrown: unknown) => object,
): Promise<void> {
  try {
    while ((await events.next()).done !== true);
  } catch (error) {
    failed(error);
  }
}

function rpcErrorOf(thrown: unknown): { code: number; message: string } {
  if (thrown instanceof RpcRefused) return { code: thrown.code, message: thrown.message };
  const error = JsonRpcTransportHandler.mapToJSONRPCError(thrown);
  return error.code === rpcCodes.internal
    ? {
        code: error.code,
        message: 'The campaign agent failed; the fault is in the log of its backend. Try again.',
      }
    : error;
}

/** Returns the address the caller used to reach this backend, for when no public address is set. */
function ownAddress(request: AnyRequest): string {
  const authority = request.headers[':authority'] ?? request.headers.host;
  return typeof authority === 'string' &&
    /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:]+\](?::\d{1,5})?$/i.test(authority)
    ? `http://${authority}`
    : 'http://localhost';
}

/** The codec writes a message as an object; its type does not say so. */
function jsonOf(message: unknown): object {
  return typeof message === 'object' && message !== null ? message : {};
}
