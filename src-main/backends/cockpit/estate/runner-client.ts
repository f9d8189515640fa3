import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { type FetchSourceResponse, RunnerService } from '#shared/gen/cockpit/v1/runner_pb.js';

export type RunnerClient = {
  /**
   * Has the runner read a source; `authorization` is the caller's. Throws UNAVAILABLE when the runner cannot be reached: fetch does not
   * run on the control plane (BCK-075).
   */
  fetchSource(
    source: { readonly name: string; readonly url: string },
    authorization: string,
  ): Promise<FetchSourceResponse>;
};

/** Timeout for a fetch, in milliseconds. */
const fetchMs = 60_000;
/**
 * Codes a runner refuses with in a message for the caller: a source that does not answer, and a session it
 * does not know.
 */
const runnersOwn: readonly Code[] = [Code.Unavailable, Code.Unauthenticated];

/** The runner at MANAGED_RUNNER_ENDPOINT, or none. */
export function createRunnerClient(url: string | undefined): RunnerClient {
  if (url === undefined)
    return {
      async fetchSource() {
        throw unreachable('MANAGED_RUNNER_ENDPOINT is not set');
      },
    };
  const client = createClient(
    RunnerService,
    // A connection for each fetch: fetches are rare, and one that was kept breaks when the runner is replaced.
    createGrpcWebTransport({ baseUrl: url, httpVersion: '1.1', nodeOptions: { agent: false } }),
  );
  return {
    async fetchSource({ name, url: address }, authorization) {
      try {
        return await client.fetchSource(
          { name, url: address },
          { headers: { authorization }, timeoutMs: fetchMs },
        );
      } catch (error) {
        const refused = ConnectError.from(error);
        // A failure of the connection has a cause, and what is in front of the runner has no words but its status.
        const isAnswer = refused.cause === undefined && !/^HTTP \d/.test(refused.rawMessage);
        if (isAnswer && runnersOwn.includes(refused.code))
          throw new ConnectError(refused.rawMessage, refused.code);
        throw unreachable('what MANAGED_RUNNER_ENDPOINT names did not answer as a runner does');
      }
    },
  };
}

function unreachable(why: string): ConnectError {
  return new ConnectError(
    `The dedicated runner is unreachable, and fetch does not run on the control plane: ${why}. Check that the runner is ready, and MANAGED_RUNNER_ENDPOINT.`,
    Code.Unavailable,
  );
}
