import { randomBytes } from 'node:crypto';
import { identityKeyBytes, identityKeyFault } from '#shared/studio/identity-key.ts';
import { rsaPrivateKey } from '../base/private-key.ts';

/**
 * Returns the fault of a value and what to give instead, as the rest of a sentence that begins with the
 * variable's name.
 */
type Check = (value: string) => string | undefined;

/** The check of a secret, and a generator where one makes sense. */
type Kind = { readonly check: Check; readonly generate?: () => string };

const bytesKey: Kind = {
  check(value) {
    const fault = identityKeyFault(value);
    const give = `use at least ${identityKeyBytes} random bytes in base64.`;
    switch (fault?.kind) {
      case 'unset':
        return `is empty: ${give}`;
      case 'not-base64':
        return `is not base64: ${give}`;
      case 'short':
        return `has ${fault.bytes} bytes: ${give}`;
      case undefined:
        return undefined;
    }
  },
  generate: () => randomBytes(identityKeyBytes).toString('base64'),
};

const bearerToken: Kind = {
  // RFC 6750 section 2.1: what a header can carry. Another value could never be presented.
  check: (value) =>
    /^[A-Za-z0-9\-._~+/]+=*$/.test(value.trim()) && value.length <= 4096
      ? undefined
      : 'is not a valid bearer token: use letters, digits and -._~+/ only, 4,096 characters at most.',
  generate: () => randomBytes(32).toString('base64url'),
};

const privateKey: Kind = {
  check(value) {
    try {
      rsaPrivateKey(value);
      return undefined;
    } catch {
      return 'is not an RSA private key in PEM: use the whole file from the code host, from its BEGIN line to its END line.';
    }
  },
};

const password: Kind = {
  check: (value) => (value.trim() === '' ? 'is empty: enter a password.' : undefined),
};

const opaque: Kind = {
  check: (value) =>
    /^[\x21-\x7e]+$/.test(value.trim())
      ? undefined
      : 'contains a space or a non-ASCII character: enter it as the service shows it.',
};

const userAndPassword: Kind = {
  // RFC 7617 section 2: what stands before the first colon is the user.
  check: (value) =>
    /^[^:\s]+:\S+$/.test(value.trim())
      ? opaque.check(value)
      : 'is not USER:PASSWORD: enter the user name, a colon, and the password or token, such as robot:ghp_0123.',
};

const kinds: Readonly<Record<string, Kind>> = {
  CONSOLE_ADMIN_PASSWORD: password,
  CONSOLE_STORE_KEY: bytesKey,
  CONSOLE_STUDIO_IDENTITY_KEY: bytesKey,
  CONSOLE_SESSION_KEY: bytesKey,
  CONSOLE_HEALTH_INGEST_TOKEN: bearerToken,
  CONSOLE_JUDGEMENT_INGEST_TOKEN: bearerToken,
  CONSOLE_LINEAGE_INGEST_TOKEN: bearerToken,
  CONSOLE_RECON_INGEST_TOKEN: bearerToken,
  CONSOLE_METRICS_TOKEN: bearerToken,
  CONSOLE_GITHUB_PRIVATE_KEY: privateKey,
  CONSOLE_REGISTRY_TOKEN: userAndPassword,
};

/**
 * Returns the fault of a secret's value, as the rest of a sentence that begins with its name, or undefined.
 * Never includes the value.
 */
export function secretFault(name: string, value: string): string | undefined {
  // No database and no environment can hold it.
  if (value.includes('\0')) return 'contains a NUL character: remove it.';
  return (kinds[name] ?? opaque).check(value);
}

/** Returns a new value for a secret that the console can generate, or undefined for one issued elsewhere. */
export function generatedSecret(name: string): string | undefined {
  return kinds[name]?.generate?.();
}

/** Returns whether `generatedSecret` makes one. */
export function generates(name: string): boolean {
  return kinds[name]?.generate !== undefined;
}
