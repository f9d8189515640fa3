import type { IncomingMessage } from 'node:http';
import type { HandlerContext } from '@connectrpc/connect';
import type { Access } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Audit, audited, circumstancesOf } from '../features/audit/index.ts';
import type { OwnRpcCall, RpcAct, RpcCall, RpcGate } from '../grpc/rpc-gate.ts';
import type { Gate } from './access.ts';
import { rpcPeerOf } from './grpc-web.ts';
import type { OpenCalls } from './open-calls.ts';

type Parts = {
  readonly gate: Gate;
  readonly openCalls: OpenCalls;
  readonly audit: Audit;
  /** The address a request came from, behind trusted proxies the client's. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Aborts when the console begins to close. */
  readonly closing: AbortSignal;
};

/** Messages of a stream that wait for a slow reader; beyond it the stream ends. */
const mostWaiting = 1000;

/** The access classes for rpcs: the same gate, the same audit trail, the same end of a session as on HTTP. */
export function createRpcGate({ gate, openCalls, audit, addressOf, closing }: Parts): RpcGate {
  /** Admits the caller, and follows their right for as long as the call goes on; `close` ends that. */
  const enter = async (context: HandlerContext, access: Access, record: RpcCall['record']) => {
    const { caller, request } = rpcPeerOf(context);
    const allowed = await gate.admit(access, caller, request);
    const address = addressOf(request);
    const open = openCalls.open({ access, caller: allowed, request, address });
    const call: RpcCall = {
      caller: allowed,
      address,
      circumstances: circumstancesOf({ address, userAgent: request.headers['user-agent'] }),
      signal: AbortSignal.any([context.signal, open.signal, closing]),
      record,
    };
    return { call, ended: open.signal, close: () => open.close() };
  };

  const admitted = async <T>(
    context: HandlerContext,
    access: Access,
    record: RpcCall['record'],
    run: (call: RpcCall) => Promise<T>,
  ): Promise<T> => {
    const { call, close } = await enter(context, access, record);
    try {
      return await run(call);
    } finally {
      close();
    }
  };

  /** A call of the class `own`, which admits nobody without an email. */
  const owned = (call: RpcCall): OwnRpcCall => ({ ...call, email: call.caller.email ?? '' });

  async function* streamed<T>(
    context: HandlerContext,
    kind: 'read' | 'own',
    run: (call: RpcCall) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const { call, ended, close } = await enter(context, { kind }, () => undefined);
    try {
      yield* run(call);
      ended.throwIfAborted();
    } finally {
      close();
    }
  }

  const write = <T>(
    context: HandlerContext,
    { allowlist, action, target }: RpcAct,
    run: (call: RpcCall) => Promise<T>,
  ): Promise<T> => {
    const { caller, request } = rpcPeerOf(context);
    const access: Access = { kind: 'write', allowlist, action, target: 'connections' };
    const act = {
      actor: caller.email ?? 'anonymous',
      action,
      target: target.trim().slice(0, 320) || '(not given)',
    };
    const origin = circumstancesOf({ address: addressOf(request), userAgent: request.headers['user-agent'] });
    return audited(audit, act, origin, (event) =>
      admitted(context, access, (summary, detail) => event.record(summary, detail), run),
    );
  };

  return {
    read: (context, run) => admitted(context, { kind: 'read' }, () => undefined, run),
    own: (context, run) =>
      admitted(
        context,
        { kind: 'own' },
        () => undefined,
        (call) => run(owned(call)),
      ),
    readStream: (context, run) => streamed(context, 'read', run),
    ownStream: (context, run) => streamed(context, 'own', (call) => run(owned(call))),
    write,
    async *writeStream<T>(
      context: HandlerContext,
      act: RpcAct,
      run: (call: RpcCall, emit: (message: T) => void) => Promise<void>,
    ) {
      const waiting: T[] = [];
      const left = new AbortController();
      let wake: () => void = () => undefined;
      let over = false;
      const done = write(context, act, (call) =>
        run({ ...call, signal: AbortSignal.any([call.signal, left.signal]) }, (message) => {
          if (waiting.length >= mostWaiting)
            throw new ConsoleError('TooManyRequests', 'This stream is read too slowly.');
          waiting.push(message);
          wake();
        }),
      ).finally(() => {
        over = true;
        wake();
      });
      // Awaited below; what fails before that is no unhandled rejection.
      done.catch(() => undefined);
      try {
        while (true) {
          for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) yield message;
          if (over) break;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        await done;
      } finally {
        // A reader that leaves ends the work, which is recorded as it ended.
        left.abort(new ConsoleError('Unavailable', 'The caller left before this had ended.'));
      }
    },
    open(context) {
      const { caller, request } = rpcPeerOf(context);
      return { caller, address: addressOf(request) };
    },
  };
}
