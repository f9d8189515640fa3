import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { StoreError } from '../../store/index.ts';
import { PlaceUnavailable } from '../sealed/index.ts';
import type { BackendLog } from '../serving/index.ts';

/**
 * What a caller is told of a failure that no service meant: UNAVAILABLE while the appfs root or the store cannot be used, INTERNAL otherwise. Both are logged;
 * without this the caller would read "internal error" and the log nothing. What a service refused in its own words stays as it is.
 */
export function explaining(log: BackendLog): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      log.error({ err: error, call: request.method.name }, 'a call failed');
      if (error instanceof PlaceUnavailable)
        throw new ConnectError('The appfs root does not answer. Try again in a moment.', Code.Unavailable);
      // Its own words name the file; they are in the log.
      if (error instanceof StoreError)
        throw new ConnectError(
          'The store of the cockpit cannot be used; its log says why.',
          Code.Unavailable,
        );
      throw new ConnectError(
        'The cockpit backend failed; the fault is in its log. Try again.',
        Code.Internal,
      );
    }
  };
}
