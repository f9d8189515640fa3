import type { AuditDetail } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Audit, audited } from '../audit/index.ts';
import type { SignInMethod } from './store.ts';

type SignIn = {
  readonly method: SignInMethod;
  readonly detail: AuditDetail;
  /** Answers who the credential stands for. Throws `NotSignedIn` or `NotAllowed`. */
  readonly verify: () => string | Promise<string>;
  /** Starts their session. */
  readonly start: (email: string) => Promise<void>;
};

/**
 * A sign-in with its audit record. Who was refused is recorded as `anonymous`: a name that nobody vouched for may be
 * anything, a password typed into the wrong field, too.
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
