import { Code, ConnectError } from '@connectrpc/connect';
import type { EstateRecords } from './records.ts';
import type { RunnerClient } from './runner-client.ts';

export type Fetching = {
  /**
   * Has the runner read a source, and keeps what it found; what was there stays when that fails. `authorization` is the caller's. Throws
   * NOT_FOUND for a source that is not connected, and what the runner refuses.
   */
  fetch(
    source: string,
    authorization: string,
  ): Promise<{ readonly domains: number; readonly fetchedAt: number }>;
};

/** Fetches through the runner, never here (BCK-075). */
export function createFetching(parts: {
  readonly records: EstateRecords;
  readonly runner: RunnerClient;
  /** Epoch ms. */
  readonly now: () => number;
}): Fetching {
  const { records, runner, now } = parts;
  return {
    async fetch(name, authorization) {
      const source = await records.source(name);
      if (source === undefined)
        throw new ConnectError(
          `There is no data source named ${name.slice(0, 100)}: connect it first.`,
          Code.NotFound,
        );
      const content = await runner.fetchSource(source, authorization);
      const fetchedAt = now();
      await records.replace(name, content, fetchedAt);
      return { domains: content.domains.length, fetchedAt };
    },
  };
}
