import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { RunnerService } from '#shared/gen/cockpit/v1/runner_pb.js';
import { readSource, SourceUnreadable } from './source-document.ts';
import { checkSource } from './source-input.ts';

/** `cockpit.v1.RunnerService`: the only place where data sources are read. */
export function runnerService(): ServiceImpl<typeof RunnerService> {
  return {
    async fetchSource(source, { signal }) {
      checkSource(source);
      try {
        const { domains, findings } = await readSource(source.url, signal);
        return {
          domains: domains.map((domain) => ({
            ...domain,
            dependsOn: [...domain.dependsOn],
            source: source.name,
          })),
          findings: [...findings],
        };
      } catch (error) {
        if (error instanceof SourceUnreadable) throw new ConnectError(error.message, Code.Unavailable);
        throw error;
      }
    },
  };
}
