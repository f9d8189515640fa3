import type { Kysely } from 'kysely';
import type { AllowlistItem, SessionAdmins } from '#shared/api/access.ts';
import type { Caller } from '#shared/api/handler.ts';
import { type Allowlist, allowlists as names } from '#shared/api/route.ts';
import type { SettingSource } from '#shared/api/settings.ts';
import { ConsoleError } from '#shared/errors.ts';
import {
  type AccessTables,
  readSessionAdmins,
  replaceSessionAdmins,
  type SessionAdminsChange,
  type StoredSessionAdmins,
} from './store.ts';

export type AllowlistOptions = {
  readonly db: Kysely<AccessTables>;
  readonly now: () => number;
  /** As the settings resolve them now, lower case; undefined when unset. */
  readonly configured: () => Readonly<Record<Allowlist, readonly string[] | undefined>>;
  readonly sourceOf: (name: Allowlist) => SettingSource;
};

/**
 * The allowlists: which people may do what. Read afresh on every check, so a person taken off a list is
 * refused at once, on every replica.
 */
export type Allowlists = {
  admits(name: Allowlist, email: string): Promise<boolean>;
  /** Returns whether anybody is on a list. */
  isSet(name: Allowlist): Promise<boolean>;
  /** Returns every list as one caller may see it: with their own membership, and no one else's. */
  describe(email: string | undefined): Promise<AllowlistItem[]>;
  /** Returns the list as one caller may see it: with its names for those on it, and for the desktop window. */
  sessionAdmins(caller: AdminsReader): Promise<SessionAdmins>;
  /**
   * Throws `Conflict` while the environment names the admins, or when the list is not of the revision that the change
   * names, or when it is `onlyFirst` and somebody is named already; `Refused` for an empty list.
   */
  setSessionAdmins(change: Omit<SessionAdminsChange, 'at'>): Promise<void>;
};

export type AdminsReader = Pick<Caller, 'email' | 'localOperator' | 'signInLink'>;

const guards: Readonly<Record<Allowlist, string>> = {
  CONSOLE_SESSION_ADMINS: "the audit trail, other people's sessions, settings and keys",
  CONSOLE_AGENT_ADMINS: 'arming and disarming agents',
  CONSOLE_CONNECTION_ADMINS: 'data connections, runners and providers',
  CONSOLE_CLUSTER_ADMINS: 'acts on objects of writable clusters',
};

/**
 * The allowlist rule (CON-165, CON-166): unset admits everyone the console admits, except
 * `CONSOLE_SESSION_ADMINS`, where unset admits no one. The session admins may also be kept in the store; the
 * configuration takes precedence.
 */
export function createAllowlists({ db, now, configured, sourceOf }: AllowlistOptions): Allowlists {
  const membersOf = async (name: Allowlist): Promise<readonly string[] | undefined> => {
    const list = configured()[name];
    if (list !== undefined || name !== 'CONSOLE_SESSION_ADMINS') return list;
    const { emails } = await readSessionAdmins(db);
    return emails.length === 0 ? undefined : emails;
  };

  const isMember = (name: Allowlist, members: readonly string[] | undefined, email: string): boolean =>
    members === undefined ? name !== 'CONSOLE_SESSION_ADMINS' : members.includes(email);

  const sourceLabel = (name: Allowlist): AllowlistItem['source'] => {
    if (configured()[name] === undefined) return 'store';
    const source = sourceOf(name);
    return source === 'settings' || source === 'sandbox' ? source : 'env';
  };

  return {
    async admits(name, email) {
      return isMember(name, await membersOf(name), email);
    },

    async isSet(name) {
      return (await membersOf(name)) !== undefined;
    },

    describe(email) {
      return Promise.all(
        names.map(async (name): Promise<AllowlistItem> => {
          const members = await membersOf(name);
          return {
            name,
            configured: members !== undefined,
            ...(members === undefined ? {} : { size: members.length, source: sourceLabel(name) }),
            rule_when_unset: name === 'CONSOLE_SESSION_ADMINS' ? 'nobody' : 'everyone admitted',
            member: email !== undefined && isMember(name, members, email),
            guards: guards[name],
          };
        }),
      );
    },

    async sessionAdmins({ email, localOperator, signInLink }) {
      const stored = await readSessionAdmins(db);
      const admins = configured().CONSOLE_SESSION_ADMINS ?? stored.emails;
      const you = email !== undefined && admins.includes(email);
      return {
        admins: localOperator || you ? [...admins] : [],
        size: admins.length,
        source: configured().CONSOLE_SESSION_ADMINS === undefined ? 'store' : 'env',
        you,
        may_name_first: admins.length === 0 && (localOperator || signInLink),
        revision: stored.revision,
      };
    },

    async setSessionAdmins({ emails, revision, onlyFirst, by }) {
      if (configured().CONSOLE_SESSION_ADMINS !== undefined) {
        throw new ConsoleError(
          'Conflict',
          'The session admins are set by CONSOLE_SESSION_ADMINS: change it and restart the console.',
        );
      }
      const unique = [...new Set(emails)];
      if (unique.length === 0) {
        throw new ConsoleError(
          'Refused',
          'The last session admin cannot be removed: nobody could read the audit trail or add another.',
        );
      }
      const newer = await replaceSessionAdmins(db, { emails: unique, revision, onlyFirst, by, at: now() });
      if (newer !== undefined) throw new ConsoleError('Conflict', conflictMessage(newer));
    },
  };
}

function conflictMessage({ emails, changedAt, changedBy }: StoredSessionAdmins): string {
  const at =
    changedAt === undefined
      ? ''
      : ` at ${new Date(changedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `The session admins have changed meanwhile: ${changedBy ?? 'another caller'} set them to ${emails.join(', ')}${at}. Nothing was changed. Refresh the list and try again.`;
}
