import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';

/** Every requirement, by document. It changes only with the console itself. */
export const requirementsQuery = queryOptions({
  queryKey: ['requirements'],
  queryFn: async () => (await call('requirements.list')).documents,
  staleTime: Number.POSITIVE_INFINITY,
});
