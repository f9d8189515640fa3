import { Role, SendMessageRequest } from '@a2a-js/sdk';
import { z } from 'zod';
import { textPart } from './executor.ts';

/** Longest text of a message, in characters, and most parts it comes in. */
const longestText = 4000;
const mostParts = 10;
const longestId = 200;

/** Codes of JSON-RPC 2.0, 5.1, and of A2A 1.0, 5.4. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  params: -32602,
  internal: -32603,
  pushNotSupported: -32003,
  contentType: -32005,
} as const;

/** A request that is answered with an error of JSON-RPC; its message is for a person. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const requestShape = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(longestId), z.int(), z.null()]).optional(),
  method: z.string().min(1).max(100),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** A request of JSON-RPC 2.0; A2A has no batches, and its parameters are named. */
export type RpcRequest = z.infer<typeof requestShape>;

/** Reads a body. Throws `RpcRefused` for one that is no JSON in UTF-8 or no request. */
export function readRpcRequest(body: Buffer): RpcRequest {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new RpcRefused(rpcCodes.parse, 'The body is no JSON in UTF-8.');
  }
  const read = requestShape.safeParse(json);
  if (read.success) return read.data;
  throw new RpcRefused(
    rpcCodes.request,
    'The body is no request of JSON-RPC 2.0 with a method and named parameters.',
  );
}

const id = z.string().max(longestId);
const sendShape = z.object({
  message: z.object({
    messageId: id.min(1),
    contextId: id,
    taskId: id,
    role: z.literal(Role.ROLE_USER),
    parts: z
      .array(z.object({ content: z.object({ $case: z.literal('text'), value: z.string() }) }))
      .min(1)
      .max(mostParts),
  }),
  configuration: z
    .object({ historyLength: z.int().min(0).optional(), returnImmediately: z.boolean() })
    .optional(),
});

/**
 * The parameters as the agent takes them: of a message its ids and its text, no more, so that what is kept of it is small. Throws
 * `RpcRefused`.
 */
export function checkedParams({ method, params = {} }: RpcRequest): unknown {
  if (params.tenant !== undefined && params.tenant !== '')
    throw new RpcRefused(rpcCodes.params, 'This agent has no tenants: leave the tenant out.');
  if (method === 'ListTasks' && !/^\d{0,4}$/.test(String(params.pageToken ?? '')))
    throw new RpcRefused(rpcCodes.params, 'The pageToken is not one of an answer before.');
  // Before the parameters are looked at: no form of them would make this agent call a webhook (A2A 1.0, 3.3.2).
  if (/^(?:Create|Get|List|Delete)TaskPushNotificationConfigs?$/.test(method)) throw noPush();
  if (method !== 'SendMessage' && method !== 'SendStreamingMessage') return scalars(params);
  if (asksForPush(params.configuration)) throw noPush();
  const read = sendShape.safeParse(protoMessage(params));
  if (!read.success) {
    throw new RpcRefused(
      rpcCodes.params,
      `A message to this agent has a messageId, the role ROLE_USER and 1 to ${mostParts} parts, which are text.`,
    );
  }
  const { message, configuration } = read.data;
  const text = message.parts.map(({ content }) => content.value).join('\n');
  if (text.length > longestText)
    throw new RpcRefused(rpcCodes.params, `The message is longer than ${longestText} characters.`);
  return SendMessageRequest.toJSON({
    tenant: '',
    message: {
      messageId: message.messageId,
      contextId: message.contextId,
      taskId: message.taskId,
      role: message.role,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      historyLength: configuration?.historyLength,
      returnImmediately: configuration?.returnImmediately ?? false,
    },
    metadata: undefined,
  });
}

function noPush(): RpcRefused {
  return new RpcRefused(
    rpcCodes.pushNotSupported,
    'This agent sends no push notifications: read the task with GetTask, or follow it with SubscribeToTask.',
  );
}

function asksForPush(configuration: unknown): boolean {
  if (typeof configuration !== 'object' || configuration === null) return false;
  return ['taskPushNotificationConfig', 'task_push_notification_config'].some((name) =>
    Object.entries(configuration).some(([key, value]) => key === name && value != null),
  );
}

/** The codec turns what it is given into text, however deep it is nested; of these methods no parameter that is used is nested. */
function scalars(params: Record<string, unknown>): Record<string, unknown> {
  const used = Object.entries(params).filter(([name]) => name !== 'metadata');
  if (used.some(([, value]) => typeof value === 'object' && value !== null))
    throw new RpcRefused(
      rpcCodes.params,
      'The parameters of this method are texts, numbers and truth values.',
    );
  return Object.fromEntries(used);
}

/** In the names of the protocol, whichever of its two spellings they came in; undefined when it has another shape. */
function protoMessage(params: Record<string, unknown>): unknown {
  try {
    return SendMessageRequest.fromJSON(params);
  } catch {
    return undefined;
  }
}
