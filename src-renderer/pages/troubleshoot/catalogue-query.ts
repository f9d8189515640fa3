import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';

/** Every symptom that is known. It changes only with the console itself. */
export const catalogueQuery = queryOptions({
  queryKey: ['troubleshoot', 'catalogue'],
  queryFn: async () => (await call('troubleshoot.catalogue')).symptoms,
  staleTime: Number.POSITIVE_INFINITY,
});
