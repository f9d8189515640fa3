import type { PageAddress } from '#shared/page-address.ts';
import type { ConfigRow } from './config-model.ts';

/** The address of a repository's file or of one of its agents, under a search. */
export function configAddress(row: ConfigRow | undefined, q: string): PageAddress {
  return {
    tab: 'agentConfig',
    ...(q !== '' && { q }),
    ...row,
  };
}
