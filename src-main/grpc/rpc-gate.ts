import type { HandlerContext } from '@connectrpc/connect';
import type { AuditDetail, Call, Caller } from '#shared/api/handler.ts';
import type { Allowlist } from '#shared/api/route.ts';

/** One call of an rpc, once its caller is admitted. */
export type RpcCall = Pick<Call, 'caller' | 'address' | 'record'> & {
  /** Origin of the request, for audit records. */
  readonly circumstances: AuditDetail;
  /** Aborts when the caller goes away, may no longer make this call, or the console is closing. */
  readonly signal: AbortSignal;
};

/** A call of a signed-in person, acting on what is theirs. */
export type OwnRpcCall = RpcCall & { readonly email: string };

/** A privileged rpc: who may call it, and the name of the act in the audit trail. */
export type RpcAct = {
  readonly allowlist: Allowlist;
  /** Such as `connections.create`. */
  readonly action: string;
  /** The target of the act; never a secret. */
  readonly target: string;
};

/** The access classes of HTTP routes, for rpcs: what a service admits its callers by. */
export type RpcGate = {
  /** Admits whoever may read: a session when sign-in is configured. Throws `ConsoleError`. */
  read<T>(context: HandlerContext, run: (call: RpcCall) => Promise<T>): Promise<T>;
  /** As `read`, for a server stream: the next message is made when the one before was taken. */
  readStream<T>(context: HandlerContext, run: (call: RpcCall) => AsyncIterable<T>): AsyncIterable<T>;
  /** Admits a signed-in person in every mode, acting on what is theirs. Throws `ConsoleError`. */
  own<T>(context: HandlerContext, run: (call: OwnRpcCall) => Promise<T>): Promise<T>;
  /** As `own`, for a server stream: the next message is made when the one before was taken. */
  ownStream<T>(context: HandlerContext, run: (call: OwnRpcCall) => AsyncIterable<T>): AsyncIterable<T>;
  /** Admits a session on the allowlist; audited on success, failure and refusal. Throws `ConsoleError`. */
  write<T>(context: HandlerContext, act: RpcAct, run: (call: RpcCall) => Promise<T>): Promise<T>;
  /** As `write`, for a server stream: what `run` emits is sent as it comes, and recorded when it has ended. */
  writeStream<T>(
    context: HandlerContext,
    act: RpcAct,
    run: (call: RpcCall, emit: (message: T) => void) => Promise<void>,
  ): AsyncIterable<T>;
  /** The caller of an rpc that takes another proof than a session; the service checks it. */
  open(context: HandlerContext): { readonly caller: Caller; readonly address: string };
};
