import { Code, ConnectError } from '@connectrpc/connect';
import { createIdTokens, IdTokenError } from '../../id-token/index.ts';
import type { BackendLog } from '../serving/index.ts';
import type { AuthRecords, Person } from './auth-records.ts';

export type OidcSignIn = ReturnType<typeof createOidcSignIn>;

/** The sign-in with an ID token of the identity provider, then the list of who may sign in, where there is one. */
export function createOidcSignIn(options: {
  readonly records: AuthRecords;
  readonly oidc: { readonly issuer: string; readonly clientId: string };
  /** In lower case; undefined lets in everybody with a verified address at the issuer. */
  readonly allowedEmails: readonly string[] | undefined;
  readonly now: () => number;
  readonly log: BackendLog;
}) {
  const { records, oidc, allowedEmails, now, log } = options;
  const idTokens = createIdTokens({ issuer: oidc.issuer, audience: oidc.clientId, now });

  const refusalOf = (error: unknown): unknown => {
    if (!(error instanceof IdTokenError)) return error;
    if (error.kind === 'keys')
      log.warn({ err: error, issuer: oidc.issuer }, 'the keys of the identity provider cannot be read');
    return new ConnectError(error.message, error.kind === 'keys' ? Code.Unavailable : Code.Unauthenticated);
  };

  return {
    /** Throws UNAUTHENTICATED, PERMISSION_DENIED, or UNAVAILABLE when the issuer's keys cannot be read. */
    async verify(idToken: string): Promise<Person> {
      try {
        const { subject, email, name, redeem } = await idTokens.verify(idToken);
        if (allowedEmails !== undefined && !allowedEmails.includes(email))
          throw new ConnectError('This account is not authorized for this instance.', Code.PermissionDenied);
        const person = await records.personOf({
          issuer: oidc.issuer,
          subject: printable(subject),
          email,
          name: printable(name ?? email).slice(0, 200),
        });
        if (person === undefined)
          throw new ConnectError(
            'This address belongs to another account of the identity provider: ask whoever runs this backend.',
            Code.PermissionDenied,
          );
        await redeem();
        return person;
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

/** Without control characters: names are shown, and PostgreSQL keeps no NUL. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
}
