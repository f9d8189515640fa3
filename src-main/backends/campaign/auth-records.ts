import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { CampaignTables } from './store-tables.ts';

/** Someone who can sign in. */
export type Person = { readonly id: string; readonly email: string; readonly name: string };

/** A session as the store keeps it. Times are milliseconds since 1970. */
export type StoredSession = {
  readonly id: string;
  readonly person: Person;
  readonly refreshHash: string;
  readonly generation: number;
  readonly refreshedAt: number;
  readonly expiresAt: number;
};

export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
};

/** Sessions one person may have; the oldest one ends when another begins. */
const mostSessions = 100;

export type AuthRecords = ReturnType<typeof authRecords>;

/** People and their sessions. */
export function authRecords(db: Kysely<CampaignTables>) {
  const personBy = (column: 'email' | 'id', value: string) =>
    db.selectFrom('campaign_people').selectAll().where(column, '=', value).executeTakeFirst();

  return {
    /**
     * The person the identity provider names. Known by issuer and subject (OpenID Connect Core, 5.7: an address may be given to somebody
     * else); by the address where this issuer named nobody with it yet. Undefined when the address belongs to another of its subjects.
     */
    async personOf({ issuer, subject, email, name }: Identity): Promise<Person | undefined> {
      await db
        .insertInto('campaign_people')
        .values({ id: newId('p'), email, name, issuer, subject, password_hash: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await db
        .updateTable('campaign_people')
        .set({ issuer, subject })
        .where('email', '=', email)
        .where((where) => where.or([where('issuer', 'is', null), where('issuer', '<>', issuer)]))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('campaign_people as known')
                .select('known.id')
                .where('known.issuer', '=', issuer)
                .where('known.subject', '=', subject),
            ),
          ),
        )
        .execute();
      await db
        .updateTable('campaign_people')
        .set({ name })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute();
      // Their address may be another by now, unless somebody here has it.
      await db
        .updateTable('campaign_people')
        .set({ email })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('campaign_people as other').select('other.id').where('other.email', '=', email),
            ),
          ),
        )
        .execute();
      const row = await db
        .selectFrom('campaign_people')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row === undefined ? undefined : { id: row.id, email: row.email, name: row.name };
    },

    /** The person with that address and the digest of their password, when they have one. */
    async personWithPassword(email: string): Promise<(Person & { passwordHash: string }) | undefined> {
      const row = await personBy('email', email);
      return row === undefined || row.password_hash === null
        ? undefined
        : { id: row.id, email: row.email, name: row.name, passwordHash: row.password_hash };
    },

    /**
     * Makes this the one person who signs in with a password. Their open sessions end, because whoever knew the password before may have
     * begun them.
     */
    async seedPassword(email: string, passwordHash: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('campaign_people')
          .values({ id: newId('p'), email, name: email, issuer: null, subject: null, password_hash: null })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .execute();
        await tx
          .updateTable('campaign_people')
          .set({ password_hash: null })
          .where('email', '<>', email)
          .execute();
        const { id } = await tx
          .updateTable('campaign_people')
          .set({ password_hash: passwordHash })
          .where('email', '=', email)
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx.deleteFrom('campaign_sessions').where('person_id', '=', id).execute();
      });
    },

    /** Begins a session, and forgets those that have run out. */
    async addSession(
      session: { readonly id: string; readonly personId: string; readonly refreshHash: string },
      at: number,
      expiresAt: number,
    ): Promise<void> {
      await db.deleteFrom('campaign_sessions').where('expires_at', '<=', at).execute();
      await db
        .insertInto('campaign_sessions')
        .values({
          id: session.id,
          person_id: session.personId,
          refresh_hash: session.refreshHash,
          generation: 0,
          created_at: at,
          refreshed_at: at,
          expires_at: expiresAt,
        })
        .execute();
      const newest = await db
        .selectFrom('campaign_sessions')
        .select('id')
        .where('person_id', '=', session.personId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(mostSessions)
        .execute();
      if (newest.length === mostSessions)
        await db
          .deleteFrom('campaign_sessions')
          .where('person_id', '=', session.personId)
          .where('id', 'not in', [...newest.map(({ id }) => id), session.id])
          .execute();
    },

    /** A session that has not ended and not run out. */
    async findSession(id: string, at: number): Promise<StoredSession | undefined> {
      const row = await db
        .selectFrom('campaign_sessions as session')
        .innerJoin('campaign_people as person', 'person.id', 'session.person_id')
        .select([
          'session.id',
          'session.refresh_hash',
          'session.generation',
          'session.refreshed_at',
          'session.expires_at',
          'person.id as person_id',
          'person.email',
          'person.name',
        ])
        .where('session.id', '=', id)
        .where('session.expires_at', '>', at)
        .executeTakeFirst();
      return row === undefined
        ? undefined
        : {
            id: row.id,
            person: { id: row.person_id, email: row.email, name: row.name },
            refreshHash: row.refresh_hash,
            generation: row.generation,
            refreshedAt: Number(row.refreshed_at),
            expiresAt: Number(row.expires_at),
          };
    },

    /**
     * Puts the next refresh token in the place of this one. One statement, so that of any number at once exactly one finds it there and is
     * answered true; the session may have ended meanwhile.
     */
    async rotate(
      id: string,
      from: { readonly refreshHash: string; readonly generation: number },
      toHash: string,
      at: number,
      expiresAt: number,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('campaign_sessions')
        .set({
          refresh_hash: toHash,
          generation: from.generation + 1,
          refreshed_at: at,
          expires_at: expiresAt,
        })
        .where('id', '=', id)
        .where('refresh_hash', '=', from.refreshHash)
        .where('generation', '=', from.generation)
        .where('expires_at', '>', at)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async endSession(id: string): Promise<void> {
      await db.deleteFrom('campaign_sessions').where('id', '=', id).execute();
    },
  };
}

/** A new id: its kind and 96 random bits. */
export function newId(kind: 'p' | 's' | 'c' | 'l'): string {
  return `${kind}-${randomBytes(12).toString('hex')}`;
}
