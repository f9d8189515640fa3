import { jwtVerify } from 'jose';
import { z } from 'zod';
import type { AnyRequest } from '../serving/index.ts';

/** The person a request acts for, as named by its assertion. */
export type Caller = { readonly email: string };

/** Lifetime of an assertion, in seconds (CON-173). */
const validitySeconds = 120;
const header = 'x-console-identity';
const claims = z.object({
  email: z
    .string()
    .min(3)
    .max(320)
    .regex(/^[^\s@]+@[^\s@]+$/),
});

/**
 * Makes the function that reads who a request acts for from `X-Console-Identity`: a compact JWS, HS256, issuer
 * `console`, audience `studio`, at most 2 minutes old, by a clock that may differ from the console's by `tolerance` seconds. It answers undefined for anything else. Nothing but this one
 * header is looked at: no cookie, no forwarded user name.
 */
export function identityVerifier(key: Buffer, now: () => number, tolerance: number) {
  return async ({ rawHeaders }: AnyRequest): Promise<Caller | undefined> => {
    const [assertion, second] = rawHeaders.filter(
      (_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === header,
    );
    // Two values mean that somebody behind the console added one: which of them is true cannot be known.
    if (assertion === undefined || second !== undefined) return undefined;
    try {
      const { payload } = await jwtVerify(assertion, key, {
        algorithms: ['HS256'],
        issuer: 'console',
        audience: 'studio',
        requiredClaims: ['sub', 'exp', 'iat'],
        maxTokenAge: validitySeconds,
        clockTolerance: tolerance,
        currentDate: new Date(now()),
      });
      const { email } = claims.parse(payload);
      return payload.sub === email ? { email } : undefined;
    } catch {
      return undefined;
    }
  };
}

/** The one sentence a refused caller reads. It does not say which check failed. */
export const refusal =
  'The studio did not accept who you are: the console signs you in and adds a signed X-Console-Identity to every request. Open the studio through the console.';
