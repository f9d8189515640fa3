import type { Place } from '#shared/place.ts';
import type { ConfigRow } from './config-model.ts';

/** The address of a repository's file or of one of its agents, under a search. */
export function configAddress(row: ConfigRow | undefined, q: string): Place {
  return {
    tab: 'agentConfig',
    ...(q !== '' && { q }),
    ...row,
  };
}
