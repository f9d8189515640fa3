import type { AuditDetail } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Audit, audited } from '../audit/index.ts';
import type { SignInMethod } from './store.ts';

type SignIn = {
  readonly method: SignInMethod;
  readonly detail: AuditDetail;
  /** Returns the email the credential identifies. Throws `NotSignedIn` or `NotAllowed`. */
  readonly verify: () => string | Promise<string>;
  /** Starts their session. */
  readonly start: (email: string) => Promise<void>;
};

/**
 * Runs a sign-in with its audit record. A refused caller is recorded as `anonymous`: an unverified name may
 * be anything, even a password typed into the wrong field.
 */
export async function auditedSignIn(
  audit: Audit,
  { method, detail, verify, start }: SignIn,
): Promise<string> {
  const act = { action: 'sign_in', target: method };
  let email: string;
  try {
    email = await verify();
  } catch (error) {
    if (error instanceof ConsoleError && (error.name === 'NotSignedIn' || error.name === 'NotAllowed')) {
      const event = await audit.begin({ ...act, actor: 'anonymous' }, detail);
      await event.refuse(error.message);
    }
    throw error;
  }
  await audited(audit, { ...act, actor: email }, detail, async (event) => {
    event.record(`${email} signed in.`);
    await start(email);
  });
  return email;
}
