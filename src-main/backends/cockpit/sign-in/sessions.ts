import { randomBytes } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { SealBroken, type SealedStore, StorageUnavailable } from '../../sealed/index.ts';
import type { BackendLog } from '../../serving/index.ts';

/** The caller: the person of a session that was neither revoked nor expired. */
export type Caller = {
  readonly email: string;
  readonly admin: boolean;
  /** Name of the session's record. */
  readonly session: string;
};

export type Sessions = {
  /** Begins a session of `lastsMs`; `name` is that of its record. */
  begin(
    person: { readonly email: string; readonly admin: boolean },
    lastsMs?: number,
  ): Promise<{ readonly token: string; readonly expiresAt: number; readonly name: string }>;
  /** The caller of a request. Throws UNAUTHENTICATED, in the words of BCK-054. */
  callerOf(headers: Headers): Promise<Caller>;
  end(session: string): Promise<void>;
  /** Removes the records of sessions that expired. */
  sweep(): Promise<void>;
};

/** Lifetime of a session, in milliseconds. */
const lifetimeMs = 12 * 60 * 60_000;
const issuer = 'cockpit';
const folder = 'sessions/';
/** `<end of the session, epoch seconds>-<random>`: the name shows whether it has expired. */
const recordName = /^(\d{10,11})-[0-9a-f]{32}$/;
const claims = z.object({ sub: z.string(), sid: z.string().regex(recordName) });
const record = z.object({ email: z.string(), admin: z.boolean() });

/** A record is an address and a flag. */
const mostRecordBytes = 4096;

/** The one answer to a token that does not count, whatever the reason (BCK-054). */
const refusal = 'invalid or expired session token';

/**
 * Sessions are tokens signed with AUTH_JWT_SECRET, and a record of each under the appfs root: signing out removes it, and a runner knows
 * the sessions of its control plane because it shares the root (BCK-048). Times are epoch ms.
 */
export function createSessions(options: {
  readonly secret: Uint8Array;
  readonly appfs: SealedStore;
  readonly now: () => number;
  readonly log: BackendLog;
}): Sessions {
  const { secret, appfs, now, log } = options;

  const readRecord = async (session: string): Promise<z.infer<typeof record> | undefined> => {
    try {
      const bytes = await appfs.get(`${folder}${session}`, mostRecordBytes);
      return bytes === undefined ? undefined : record.parse(JSON.parse(bytes.toString()));
    } catch (error) {
      if (error instanceof StorageUnavailable) {
        log.error({ err: error }, 'the appfs root does not answer, so no session can be checked');
        throw new ConnectError('The appfs root does not answer. Try again in a moment.', Code.Unavailable);
      }
      // Written under another key, or not by us: to its bearer it is a token that does not count.
      if (!(error instanceof SealBroken)) throw error;
      log.warn({ err: error }, 'the record of a session does not open');
      return undefined;
    }
  };

  return {
    async begin({ email, admin }, lastsMs = lifetimeMs) {
      const expires = Math.floor((now() + lastsMs) / 1000);
      const session = `${expires}-${randomBytes(16).toString('hex')}`;
      await appfs.put(`${folder}${session}`, Buffer.from(JSON.stringify({ email, admin })));
      const token = await new SignJWT({ sid: session })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setSubject(email)
        .setIssuedAt(Math.floor(now() / 1000))
        .setExpirationTime(expires)
        .sign(secret);
      return { token, expiresAt: expires * 1000, name: session };
    },

    async callerOf(headers) {
      const [, token = ''] = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '') ?? [];
      const { email, session } = await readToken(token, secret, now());
      const known = await readRecord(session);
      if (known === undefined || known.email !== email) throw refused();
      return { email, admin: known.admin, session };
    },

    end: (session) => appfs.remove(`${folder}${session}`),

    async sweep() {
      for (const name of await appfs.list(folder)) {
        const [, expires] = recordName.exec(name.slice(folder.length)) ?? [];
        if (expires !== undefined && Number(expires) * 1000 <= now()) await appfs.remove(name);
      }
    },
  };
}

async function readToken(
  token: string,
  secret: Uint8Array,
  now: number,
): Promise<{ email: string; session: string }> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      issuer,
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(now),
    });
    const { sub, sid } = claims.parse(payload);
    return { email: sub, session: sid };
  } catch {
    throw refused();
  }
}

function refused(): ConnectError {
  return new ConnectError(refusal, Code.Unauthenticated);
}
