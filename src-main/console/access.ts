import type { Caller } from '#shared/api/handler.ts';
import type { Access, Allowlist } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';

export type AccessOptions = {
  /** False on an open console: no sign-in is configured, reads are served to anyone. */
  readonly authRequired: boolean;
  readonly allowlists: Readonly<Record<Allowlist, readonly string[] | undefined>>;
};

/**
 * The allowlist rule (spec/console.md, Authentication 2): unset admits everyone the console admits, except
 * `CONSOLE_SESSION_ADMINS`, where unset means nobody.
 */
export function isOnAllowlist(
  name: Allowlist,
  email: string,
  allowlists: AccessOptions['allowlists'],
): boolean {
  const list = allowlists[name];
  if (list === undefined) return name !== 'CONSOLE_SESSION_ADMINS';
  return list.includes(email);
}

/** Refuses a caller whom the route's class does not admit. Throws `NotSignedIn` or `NotAllowed`. */
export function checkAccess(access: Access, caller: Caller, options: AccessOptions): void {
  if (access.kind === 'open') return;
  if (caller.email === undefined) {
    if (access.kind === 'read' && !options.authRequired) return;
    throw new ConsoleError(
      'NotSignedIn',
      'You are not signed in, or your session has ended: sign in and try again.',
    );
  }
  // A route open to its own subject checks the list itself: only its handler knows who the subject is.
  if (access.kind !== 'write' || access.ownSubject === true) return;
  if (!isOnAllowlist(access.allowlist, caller.email, options.allowlists)) {
    throw new ConsoleError('NotAllowed', `You may not do this: it needs membership of ${access.allowlist}.`);
  }
}
