import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';

/** The agents of the repositories that are read unasked, as their files say them. */
export const agentConfigQuery = queryOptions({
  queryKey: ['agent-config'],
  queryFn: () => call('codeHost.agentConfig', { query: {} }),
});

/** The agents of one repository, for one that is not read unasked. */
export const agentConfigOfQuery = (repo: string) =>
  queryOptions({
    queryKey: ['agent-config', repo],
    queryFn: () => call('codeHost.agentConfig', { query: { repo } }),
  });
