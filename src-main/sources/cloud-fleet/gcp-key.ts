import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';

/** A service account's key as Google Cloud hands it out. Its `token_uri` is not read: the console says where it asks. */
const serviceAccountKey = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3).max(320),
  private_key_id: z.string().max(200).optional(),
  private_key: z.string().min(1).max(16_384),
  project_id: z.string().optional(),
});
export type ServiceAccountKey = z.infer<typeof serviceAccountKey>;

/** Reads a key; undefined for a text that is none. */
export function parseServiceAccountKey(text: string): ServiceAccountKey | undefined {
  try {
    return serviceAccountKey.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const scope = 'https://www.googleapis.com/auth/cloud-platform';

/** Returns the assertion that is exchanged for an access token (RFC 7523); throws for a key that cannot sign. */
export async function signAssertion(key: ServiceAccountKey, audience: string, now: number): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({
      alg: 'RS256',
      typ: 'JWT',
      ...(key.private_key_id === undefined ? {} : { kid: key.private_key_id }),
    })
    .setIssuer(key.client_email)
    .setSubject(key.client_email)
    .setAudience(audience)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 600)
    .sign(await importPKCS8(key.private_key, 'RS256'));
}
