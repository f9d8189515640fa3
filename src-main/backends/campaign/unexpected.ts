import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { storeTrouble } from '../../store/index.ts';
import { type BackendLog, type PlainRoute, RouteRefused } from '../serving/index.ts';
import { inOurWords } from './store.ts';

/**
 * What a caller is told of a failure that no service meant: the store's trouble as UNAVAILABLE, anything else as INTERNAL. Both are logged;
 * what a service refused in its own words stays as it is.
 */
export function unexpected(error: unknown, log: BackendLog, call: string): ConnectError {
  if (error instanceof ConnectError) return error;
  log.error({ err: error, call }, 'a call failed');
  const trouble = storeTrouble(error);
  return trouble !== undefined
    ? new ConnectError(inOurWords(trouble), Code.Unavailable)
    : new ConnectError('The campaign backend failed; the fault is in its log. Try again.', Code.Internal);
}

/** Logs and explains what handlers throw; without it the caller would read "internal error" and the log nothing. */
export function explaining(log: BackendLog): Interceptor {
  return (next) => async (request) => {
    const call = request.method.name;
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: explained(response.message, log, call) } : response;
    } catch (error) {
      throw unexpected(error, log, call);
    }
  };
}

async function* explained<T>(messages: AsyncIterable<T>, log: BackendLog, call: string): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw unexpected(error, log, call);
  }
}

/** The same for a plain route: the store's trouble is 503 in words. Anything else is logged, and answered with 500, by who serves it. */
export function explainedRoute(route: PlainRoute, log: BackendLog): PlainRoute {
  return {
    ...route,
    async answer(request, response, rest) {
      try {
        await route.answer(request, response, rest);
      } catch (error) {
        const trouble = storeTrouble(error);
        if (trouble === undefined) throw error;
        log.error({ err: error, call: route.path }, 'a call failed');
        throw new RouteRefused(503, inOurWords(trouble), { 'retry-after': '5' });
      }
    },
  };
}
