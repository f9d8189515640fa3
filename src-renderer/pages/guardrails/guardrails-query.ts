import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';

/** Reads the autonomy of each class of acts. */
export const guardrailsQuery = queryOptions({
  queryKey: ['guardrails'],
  queryFn: () => call('guardrails.read'),
});
