import { createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../../base/parsed-json.ts';
import type { SandboxInstallation, World } from './world.ts';

/** Lifetime of an installation token, in ms. */
const tokenLife = 3_600_000;
/** Longest life of the App's own token, and how far clocks may be apart, in seconds. */
const longestClaim = 600;
const clockSkew = 60;

export type AppTokens = {
  /** Returns why a request is not the App's, in the code host's wording, or undefined when it is. */
  refusal(token: string): { status: 401 | 404; message: string } | undefined;
  mint(installation: SandboxInstallation): { token: string; expiresAt: number };
  /** The installation behind a token that is valid by now. */
  installationOf(token: string): number | undefined;
  revoke(token: string): void;
};

const head = z.object({ alg: z.string() });
const claims = z.object({
  iss: z.union([z.string(), z.number()]).optional(),
  exp: z.unknown(),
  iat: z.unknown(),
});

/** Checks what the App signs with its key, and hands out installation tokens. `now` in epoch ms. */
export function createAppTokens(privateKey: KeyObject, world: () => World, now: () => number): AppTokens {
  const publicKey = createPublicKey(privateKey);
  const tokens = new Map<string, { installation: number; expiresAt: number }>();

  const refusal: AppTokens['refusal'] = (token) => {
    const no = (message: string) => ({ status: 401 as const, message });
    const undecoded = no('A JSON web token could not be decoded');
    const [first = '', second = '', third = '', ...rest] = token.split('.');
    if (third === '' || rest.length > 0) return undecoded;
    const signed = Buffer.from(`${first}.${second}`);
    const header = head.safeParse(parsedJson(Buffer.from(first, 'base64url').toString('utf8')));
    const body = claims.safeParse(parsedJson(Buffer.from(second, 'base64url').toString('utf8')));
    if (!header.success || header.data.alg !== 'RS256' || !body.success) return undecoded;
    const { iss, exp, iat } = body.data;
    if (iss === undefined) return no("Missing 'issuer' claim ('iss') in assertion");
    // The App is looked up by what the assertion says of itself before its key is.
    if (String(iss) !== String(world().app.id)) return { status: 404, message: 'Integration not found' };
    if (!verify('RSA-SHA256', signed, publicKey, Buffer.from(third, 'base64url'))) return undecoded;
    const seconds = now() / 1000;
    if (!Number.isInteger(iat) || Number(iat) > seconds + clockSkew) {
      return no(
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      );
    }
    if (!Number.isInteger(exp) || Number(exp) <= seconds) {
      return no(
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
      );
    }
    if (Number(exp) > seconds + longestClaim)
      return no("'Expiration time' claim ('exp') is too far in the future");
    return undefined;
  };

  return {
    refusal,
    mint({ id }) {
      const token = `ghs_${randomBytes(27).toString('base64').replace(/[+/]/g, 'x')}`;
      const expiresAt = now() + tokenLife;
      tokens.set(token, { installation: id, expiresAt });
      return { token, expiresAt };
    },
    installationOf(token) {
      const known = tokens.get(token);
      return known !== undefined && known.expiresAt > now() ? known.installation : undefined;
    },
    revoke: (token) => void tokens.delete(token),
  };
}
