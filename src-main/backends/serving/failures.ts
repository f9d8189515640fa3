import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { BackendLog } from './log.ts';

/** Messages for failures that no service or route of a backend handles itself. */
export type FailureMessages = {
  /** Names the program, such as `campaign backend`. */
  readonly name: string;
  /** The sentence for a failure of what the backend stands on, such as its store; undefined for any other. */
  readonly unavailable: (error: unknown) => string | undefined;
  readonly log: BackendLog;
};

/**
 * Returns the error a failed call ends with: UNAVAILABLE with a message, or INTERNAL. Both are logged;
 * otherwise the caller would get "internal error" and the log nothing. An error that a service raised itself
 * is unchanged.
 */
export function callFailure(error: unknown, messages: FailureMessages, call: string): ConnectError {
  if (error instanceof ConnectError) return error;
  messages.log.error({ err: error, call }, 'a call failed');
  const message = messages.unavailable(error);
  return message === undefined
    ? new ConnectError(`The ${messages.name} failed; the fault is in its log. Try again.`, Code.Internal)
    : new ConnectError(message, Code.Unavailable);
}

/** Logs and explains what the services throw, at once or in the middle of a stream. */
export function explaining(messages: FailureMessages): Interceptor {
  return (next) => async (request) => {
    const call = request.method.name;
    try {
      const response = await next(request);
      return response.stream
        ? { ...response, message: explained(response.message, messages, call) }
        : response;
    } catch (error) {
      throw callFailure(error, messages, call);
    }
  };
}

/**
 * A stream of messages that its sender breaks off does not end: over HTTP/2 Node ends what is read of a request that was reset as if it
 * were whole (lib/internal/http2/compat.js, onStreamCloseRequest), and half of an upload would be taken for all of it.
 */
export function refusingHalves(): Interceptor {
  return (next) => (request) =>
    next(request.stream ? { ...request, message: unlessAborted(request.message, request.signal) } : request);
}

async function* unlessAborted<T>(messages: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  yield* messages;
  if (signal.aborted) throw ConnectError.from(signal.reason, Code.Canceled);
}

async function* explained<T>(
  messages: AsyncIterable<T>,
  texts: FailureMessages,
  call: string,
): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw callFailure(error, texts, call);
  }
}
