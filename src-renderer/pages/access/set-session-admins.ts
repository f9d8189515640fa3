import type { SessionAdmins } from '#shared/api/access.ts';
import { call } from '../../core/api.ts';
import { CallFailed } from '../../core/call-route.ts';

/** One change of the list of session admins, as a person makes it. */
export type AdminsChange = { readonly add: string } | { readonly remove: string };

/** Another person's change came between reading the list and changing it; nothing of this change was kept. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
  readonly before: SessionAdmins;
  readonly now: SessionAdmins;
  readonly change: AdminsChange;

  constructor(before: SessionAdmins, now: SessionAdmins, change: AdminsChange, options: ErrorOptions) {
    super('The session admins were changed by somebody else.', options);
    this.before = before;
    this.now = now;
    this.change = change;
  }
}

/** Returns a list with the change made on it. */
export function changedAdmins(admins: readonly string[], change: AdminsChange): string[] {
  if ('remove' in change) return admins.filter((email) => email !== change.remove);
  return [...new Set([...admins, change.add])];
}

/** Makes a change on the list as it was read. Throws `ChangedMeanwhile` when it is no longer that list. */
export async function setSessionAdmins(read: SessionAdmins, change: AdminsChange): Promise<SessionAdmins> {
  try {
    return await call('access.setSessionAdmins', {
      body: { admins: changedAdmins(read.admins, change), revision: read.revision },
    });
  } catch (error) {
    if (!(error instanceof CallFailed) || error.name !== 'Conflict') throw error;
    const now = await call('access.sessionAdmins');
    if (now.source === 'env' || now.revision === read.revision) throw error;
    throw new ChangedMeanwhile(read, now, change, { cause: error });
  }
}
