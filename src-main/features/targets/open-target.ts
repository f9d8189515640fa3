import type { Caller } from '#shared/api/handler.ts';
import type { OpenTarget } from '../../sources/cluster/index.ts';

/**
 * The cluster a request reads: the one it names, else the one its caller chose, else the first there is. Contacts
 * nothing. Throws NotFound for a name that is no target; without any target the cluster is one that says so.
 */
export type OpenTargetOf = (
  requested: string | undefined,
  caller: Pick<Caller, 'email'>,
) => Promise<OpenTarget>;
