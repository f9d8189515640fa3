import { createHash, createHmac, randomBytes } from 'node:crypto';
import { CompiledQuery, type Kysely } from 'kysely';
import { sessionCookie } from '#shared/session-cookie.ts';
import type { SessionRow, SignInMethod, SignInTables } from './store.ts';

/** A session of a signed-in person. */
export type Session = {
  /** Handle for lists and revoking: a digest of the cookie's value, useless as a cookie. */
  readonly id: string;
  readonly email: string;
  readonly method: SignInMethod;
  readonly userAgent: string | undefined;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
};

export type Sessions = {
  /** Starts a session and returns the cookie's value, which is stored nowhere else. */
  start(
    email: string,
    method: SignInMethod,
    userAgent?: string,
  ): Promise<{ token: string; session: Session }>;
  /** The session of a cookie value, or undefined: unknown, revoked, expired or idle for too long. */
  find(token: string): Session | undefined | Promise<Session | undefined>;
  /** The first session among several cookie values; the store is read once at most, however many there are. */
  findFirst(tokens: readonly string[]): Promise<Session | undefined>;
  /** Open sessions of one person, newest first. */
  list(email: string): Promise<readonly Session[]>;
  /** Returns the handles whose session is over; one that is only idle is in use by the caller. */
  endedOf(ids: readonly string[]): Promise<string[]>;
  /** Ends the session of a cookie value. */
  end(token: string): Promise<void>;
  /** Returns all people's open sessions, last seen first, and whether the list is complete. */
  everyone(): Promise<{ sessions: readonly Session[]; complete: boolean }>;
  /** An open session by its handle. */
  byId(id: string): Promise<Session | undefined>;
  /** Ends one of a person's sessions by its handle, or all of them. Answers how many ended. */
  revoke(email: string, id?: string): Promise<number>;
};

type Options = {
  readonly db: Kysely<SignInTables>;
  readonly now: () => number;
  /** Milliseconds. */
  readonly lifetime: { readonly absolute: number; readonly idle: number };
  /** Key of the digests under which sessions are stored, as it is set now: another key ends every session. */
  readonly signingKey: () => string | undefined;
  /** True when other consoles use the same store and may end a session there: then nothing is believed from memory. */
  readonly shared: boolean;
};

/**
 * Time for which a looked-up session is cached without reading the store again, in ms; a revocation here ends
 * it at once.
 */
const believedFor = 1000;
/** `last_seen_at` is written at most this often per session, in ms. */
const seenEvery = 60_000;
/** Looked-up sessions kept in memory; the oldest goes first. */
const cacheSize = 4096;
/** Characters of a token, which is 256 bits in base64url: anything else was never ours. */
const tokenLength = 43;
/** Most sessions listed or requested at once. */
const listSize = 500;

/** Server-side sessions in the store. Ids are 256 random bits; the store holds their SHA-256 or HMAC-SHA-256 only. */
export function createSessions({ db, now, lifetime, signingKey, shared }: Options): Sessions {
  const digest = (token: string): string => {
    const key = signingKey();
    const hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
    return hash.update(token).digest('base64url');
  };

  const cache = new Map<string, { session: Session; until: number }>();
  // When a write of a read-only look-up last failed: such a store is not tried again with every request.
  let lastFailure = Number.NEGATIVE_INFINITY;
  /** Writes what a look-up noticed. Never waited for, and lost on a full disk: who only reads loses nothing by it. */
  const note = (at: number, write: () => Promise<unknown>): void => {
    if (Math.abs(at - lastFailure) < seenEvery) return;
    write().catch(() => {
      lastFailure = at;
    });
  };

  // Raised by every revocation: a look-up that was under way meanwhile must not put the ended session back.
  let revocations = 0;

  const live = (session: Session, at: number): boolean =>
    at < session.expiresAt && at - session.lastSeenAt < lifetime.idle;

  const forget = (matches: (session: Session) => boolean): void => {
    revocations += 1;
    for (const [key, entry] of cache) if (matches(entry.session)) cache.delete(key);
  };

  const read = async (id: string): Promise<Session | undefined> => {
    const seen = revocations;
    const row = await db.selectFrom('sessions').selectAll().where('id_hash', '=', id).executeTakeFirst();
    return row === undefined ? undefined : settled(row, seen);
  };

  /** Returns the session of a row that was read when there had been `seen` revocations, and writes that it was seen. */
  const settled = async (row: SessionRow, seen: number): Promise<Session | undefined> => {
    const at = now();
    const id = row.id_hash;
    let session = fromRow(row);
    if (!live(session, at)) {
      note(at, () => db.deleteFrom('sessions').where('id_hash', '=', id).execute());
      return undefined;
    }
    if (at - session.lastSeenAt >= seenEvery) {
      session = { ...session, lastSeenAt: at };
      note(at, () =>
        db.updateTable('sessions').set({ last_seen_at: at }).where('id_hash', '=', id).execute(),
      );
    }
    if (seen !== revocations) return read(id);
    if (shared) return session;
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value ?? '');
    cache.set(id, { session, until: at + believedFor });
    return session;
  };

  const cached = (id: string): Session | undefined => {
    const entry = cache.get(id);
    const at = now();
    if (entry !== undefined && at < entry.until && live(entry.session, at)) return entry.session;
    cache.delete(id);
    return undefined;
  };

  /** Compiled once for each number of sessions: while a stream is open it is asked some times a second. */
  const compiled = new Map<number, string>();
  const openAmong = async (ids: readonly string[]): Promise<readonly Pick<SessionRow, 'id_hash'>[]> => {
    const at = now();
    const text =
      compiled.get(ids.length) ??
      db
        .selectFrom('sessions')
        .select('id_hash')
        .where('id_hash', 'in', ids)
        .where('expires_at', '>', at)
        .compile().sql;
    compiled.set(ids.length, text);
    const { rows } = await db.executeQuery<Pick<SessionRow, 'id_hash'>>(
      CompiledQuery.raw(text, [...ids, at]),
    );
    return rows;
  };

  return {
    async start(email, method, userAgent) {
      const token = randomBytes(32).toString('base64url');
      const at = now();
      const row: SessionRow = {
        id_hash: digest(token),
        email,
        method,
        user_agent: userAgent?.slice(0, 300) ?? null,
        created_at: at,
        last_seen_at: at,
        expires_at: at + lifetime.absolute,
      };
      await db.deleteFrom('sessions').where('expires_at', '<=', at).execute();
      await db.insertInto('sessions').values(row).execute();
      return { token, session: fromRow(row) };
    },

    find(token) {
      if (token.length !== tokenLength) return undefined;
      const id = digest(token);
      return cached(id) ?? read(id);
    },

    async findFirst(tokens) {
      const ids = [...new Set(tokens)].filter(({ length }) => length === tokenLength).map(digest);
      const known = new Map(ids.map((id) => [id, cached(id)]));
      const unknown = ids.filter((id) => known.get(id) === undefined);
      const seen = revocations;
      const isKnown = ids[0] !== undefined && known.get(ids[0]) !== undefined;
      const rows =
        isKnown || unknown.length === 0
          ? []
          : await db.selectFrom('sessions').selectAll().where('id_hash', 'in', unknown).execute();
      for (const id of ids) {
        const row = rows.find(({ id_hash }) => id_hash === id);
        const session = known.get(id) ?? (row === undefined ? undefined : await settled(row, seen));
        if (session !== undefined) return session;
      }
      return undefined;
    },

    async list(email) {
      const at = now();
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('email', '=', email)
        .orderBy('created_at', 'desc')
        .execute();
      return rows.map(fromRow).filter((session) => live(session, at));
    },

    async everyone() {
      const at = now();
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('expires_at', '>', at)
        .where('last_seen_at', '>', at - lifetime.idle)
        .orderBy('last_seen_at', 'desc')
        .limit(listSize + 1)
        .execute();
      return { sessions: rows.slice(0, listSize).map(fromRow), complete: rows.length <= listSize };
    },

    async byId(id) {
      const row = await db.selectFrom('sessions').selectAll().where('id_hash', '=', id).executeTakeFirst();
      const session = row === undefined ? undefined : fromRow(row);
      return session !== undefined && live(session, now()) ? session : undefined;
    },

    async endedOf(ids) {
      const ended = new Set(ids);
      for (let from = 0; from < ids.length; from += listSize)
        for (const { id_hash } of await openAmong(ids.slice(from, from + listSize))) ended.delete(id_hash);
      return [...ended];
    },

    async end(token) {
      const id = digest(token);
      await db.deleteFrom('sessions').where('id_hash', '=', id).execute();
      forget((session) => session.id === id);
    },

    async revoke(email, id) {
      let query = db.deleteFrom('sessions').where('email', '=', email);
      if (id !== undefined) query = query.where('id_hash', '=', id);
      const { numDeletedRows } = await query.executeTakeFirst();
      forget((session) => session.email === email && (id === undefined || session.id === id));
      return Number(numDeletedRows);
    },
  };
}

function fromRow(row: SessionRow): Session {
  return {
    id: row.id_hash,
    email: row.email,
    method: row.method,
    userAgent: row.user_agent ?? undefined,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}

/**
 * Values of one cookie in a Cookie header, in order, unquoted (RFC 6265 section 5.4; a browser may send several
 * when cookies of one name have different paths).
 */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined || !header.includes(name)) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    values.push(
      value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value,
    );
  }
  return values;
}

/** `Strict` in the desktop window, which nothing links into; `Lax` in a browser, where a link must find the session. */
export type SameSite = 'Lax' | 'Strict';

/** The Set-Cookie line that gives the session to a browser, or takes it away when `token` is empty. */
export function sessionCookieLine(
  token: string,
  options: { secure: boolean; sameSite: SameSite; maxAgeSeconds: number },
): string {
  const maxAge = token === '' ? 0 : Math.floor(options.maxAgeSeconds);
  const secure = options.secure ? '; Secure' : '';
  return `${sessionCookie}=${token}; Path=/; HttpOnly; SameSite=${options.sameSite}; Max-Age=${maxAge}${secure}`;
}
