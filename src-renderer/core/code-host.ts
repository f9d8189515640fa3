import { queryOptions } from '@tanstack/react-query';
import { call } from './api.ts';

/** Reads how this console is attached to the code host. */
export const codeHostQuery = queryOptions({
  queryKey: ['code-host'],
  queryFn: () => call('codeHost.read'),
});
