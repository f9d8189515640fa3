import type { BackendLog } from '../../serving/index.ts';
import type { SignInConfig } from '../config.ts';
import type { CockpitStore } from '../store.ts';
import { hashPassword, isPassword } from './passwords.ts';

/** An account that signs in with a password. */
export type Account = { readonly email: string; readonly admin: boolean };

export type Accounts = {
  /** The account when the password is its own. */
  verify(email: string, password: string): Promise<Account | undefined>;
  /** Makes an account, or gives it another password. False for the break-glass admin, whose password is ADMIN_PASSWORD. */
  setPassword(email: string, password: string): Promise<boolean>;
};

/**
 * The accounts in the store, with the break-glass admin seeded from ADMIN_EMAIL and ADMIN_PASSWORD (BCK-044).
 * Without either the log says that it was not, and an admin of an earlier boot is gone.
 */
export async function openAccounts(
  { db }: CockpitStore,
  admin: SignInConfig['admin'],
  log: BackendLog,
): Promise<Accounts> {
  const seeded = admin === undefined ? undefined : await hashPassword(admin.password);
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('accounts').where('admin', '=', 1).execute();
    if (admin === undefined || seeded === undefined) return;
    const row = { email: admin.email, password_hash: seeded, admin: 1 };
    await tx
      .insertInto('accounts')
      .values(row)
      .onConflict((conflict) => conflict.column('email').doUpdateSet(row))
      .execute();
  });
  if (admin === undefined)
    log.warn(
      {},
      'the break-glass admin was not seeded: ADMIN_EMAIL or ADMIN_PASSWORD is unset. Set both and restart to sign in with it.',
    );

  return {
    async verify(email, password) {
      const row = await db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();
      const right = await isPassword(password, row?.password_hash);
      return row !== undefined && right ? { email: row.email, admin: row.admin === 1 } : undefined;
    },
    async setPassword(email, password) {
      const password_hash = await hashPassword(password);
      const { numInsertedOrUpdatedRows: changed } = await db
        .insertInto('accounts')
        .values({ email, password_hash, admin: 0 })
        .onConflict((conflict) =>
          conflict.column('email').doUpdateSet({ password_hash }).where('accounts.admin', '=', 0),
        )
        .executeTakeFirstOrThrow();
      return changed === 1n;
    },
  };
}
