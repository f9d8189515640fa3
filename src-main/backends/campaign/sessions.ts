import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { AnyRequest, BackendLog } from '../serving/index.ts';
import { type AuthRecords, newId, type Person } from './auth-records.ts';
import type { Caller } from './parts.ts';

/** Lifetime of an access token, in seconds. */
export const accessSeconds = 15 * 60;
/** Lifetime of a refresh token, in milliseconds: a session unused for that long ends. */
const refreshMs = 30 * 24 * 3_600_000;
/**
 * Time after a refresh in which its old token is refused without ending the session, in milliseconds. Two
 * windows of one browser, or an answer lost in transit, send it twice within moments without any theft;
 * neither gets a pair for it.
 */
const sameMomentMs = 10_000;

/** The tokens from a sign-in or a refresh. Times are milliseconds since 1970. */
export type TokenPair = {
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  readonly refreshToken: string;
  readonly refreshExpiresAt: number;
  readonly person: Person;
};

export type Sessions = ReturnType<typeof createSessions>;

/** The cookie that carries the access token for the pages of this backend: an `<img>` sends no header of ours. */
export const sessionCookie = 'campaign_session';

const party = 'campaign';
const claims = z.object({ sub: z.string(), sid: z.string() });
/** `<session>.<how many refreshes it had>.<256 random bits>.<our mark>`. */
const refreshForm = /^(s-[0-9a-f]{24})\.(\d{1,9})\.([\w-]{43})\.([\w-]{22})$/;

/**
 * Sessions: an access token (JWT, HS256, 15 minutes) and a refresh token that is good once (256 random bits, kept as SHA-256, 30 days).
 * `signingKey` signs the access tokens, `markKey` marks refresh tokens as ours.
 */
export function createSessions(options: {
  readonly records: AuthRecords;
  readonly signingKey: Buffer;
  readonly markKey: Buffer;
  readonly now: () => number;
  readonly log: BackendLog;
}) {
  const { records, signingKey, markKey, now, log } = options;

  // The mark tells a token that was good once from one somebody made up: only the former, come back, ends a session. So used tokens need
  // not be kept, and made-up ones never reach the store.
  const markOf = (unmarked: string): string =>
    createHmac('sha256', markKey).update(unmarked).digest().subarray(0, 16).toString('base64url');
  const newRefreshToken = (session: string, generation: number): string => {
    const unmarked = `${session}.${generation}.${randomBytes(32).toString('base64url')}`;
    return `${unmarked}.${markOf(unmarked)}`;
  };

  const pairOf = async (
    session: string,
    person: Person,
    refreshToken: string,
    at: number,
  ): Promise<TokenPair> => {
    const issued = Math.floor(at / 1000);
    return {
      accessToken: await new SignJWT({ sid: session })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuer(party)
        .setAudience(party)
        .setSubject(person.id)
        .setJti(randomBytes(12).toString('base64url'))
        .setIssuedAt(issued)
        .setExpirationTime(issued + accessSeconds)
        .sign(signingKey),
      accessExpiresAt: (issued + accessSeconds) * 1000,
      refreshToken,
      refreshExpiresAt: at + refreshMs,
      person,
    };
  };

  return {
    /** Begins a session. */
    async start(person: Person): Promise<TokenPair> {
      const at = now();
      const id = newId('s');
      const refreshToken = newRefreshToken(id, 0);
      await records.addSession(
        { id, personId: person.id, refreshHash: hashOf(refreshToken) },
        at,
        at + refreshMs,
      );
      return pairOf(id, person, refreshToken, at);
    },

    /**
     * Returns the next pair of the same session. Throws UNAUTHENTICATED for a token that is not valid or no longer
     * valid, ABORTED for one that another request exchanged a moment ago. One that is reused later ends its
     * session: one of its two holders is not the owner (RFC 9700, 4.14.2).
     */
    async refresh(token: string): Promise<TokenPair> {
      const [, id, counted, secret, mark] = refreshForm.exec(token) ?? [];
      if (id === undefined || mark === undefined) throw signInAgain();
      const expected = markOf(`${id}.${counted}.${secret}`);
      if (!timingSafeEqual(Buffer.from(expected), Buffer.from(mark))) throw signInAgain();
      const generation = Number(counted);
      const at = now();
      const next = newRefreshToken(id, generation + 1);
      const won = await records.rotate(
        id,
        { refreshHash: hashOf(token), generation },
        hashOf(next),
        at,
        at + refreshMs,
      );
      const session = await records.findSession(id, at);
      if (session === undefined) throw signInAgain();
      if (won) return pairOf(id, session.person, next, at);
      if (generation >= session.generation) throw signInAgain();
      if (generation === session.generation - 1 && at - session.refreshedAt < sameMomentMs)
        throw new ConnectError(
          'Another request exchanged this refresh token a moment ago: go on with the pair it was answered.',
          Code.Aborted,
        );
      await records.endSession(id);
      log.warn({ session: id }, 'a used refresh token came back: its session was ended');
      throw signInAgain();
    },

    /** Ends a session: its tokens are refused from then on. */
    end: (id: string): Promise<void> => records.endSession(id),

    /** Returns the caller of a request; undefined without an active session. */
    async callerOf(
      request: AnyRequest,
      { bearerOnly = false }: { readonly bearerOnly?: boolean } = {},
    ): Promise<Caller | undefined> {
      const token = bearerOf(request) ?? (bearerOnly ? undefined : cookieOf(request));
      if (token === undefined) return undefined;
      const at = now();
      const named = await readAccessToken(token, signingKey, at);
      if (named === undefined) return undefined;
      const session = await records.findSession(named.sid, at);
      if (session === undefined || session.person.id !== named.sub) return undefined;
      const { person } = session;
      return { userId: person.id, email: person.email, name: person.name, sessionId: session.id };
    },
  };
}

function signInAgain(): ConnectError {
  return new ConnectError(
    'This refresh token is not good: it was used, signed out or has run out. Sign in again.',
    Code.Unauthenticated,
  );
}

async function readAccessToken(
  token: string,
  key: Buffer,
  at: number,
): Promise<z.infer<typeof claims> | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      typ: 'at+jwt',
      issuer: party,
      audience: party,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(at),
    });
    return claims.parse(payload);
  } catch {
    return undefined;
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function bearerOf(request: AnyRequest): string | undefined {
  return /^Bearer +([\w.~+/-]{1,4096}=*)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/**
 * Returns whether no other site can have made the browser send this (Fetch Metadata, `Sec-Fetch-Site`): only then the
 * cookie counts, and is set.
 */
export function isOwnPage(request: AnyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

function cookieOf(request: AnyRequest): string | undefined {
  if (!isOwnPage(request)) return undefined;
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.trim().split('=', 2);
    if (name === sessionCookie) return value;
  }
  return undefined;
}
