import {
  createIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts';

/** The settings that name an identity provider. */
export type ProviderSettings = {
  readonly identityProvider: Pick<IdentityProviderOptions, 'clientId' | 'issuer' | 'jwksUrl'> | undefined;
  readonly allowedEmails: readonly string[] | undefined;
};

/** The identity provider as it is set now; undefined while none is. */
export type LiveProvider = {
  settings(): ProviderSettings['identityProvider'];
  now(): IdentityProvider | undefined;
  /** Origin whose pages and scripts sign people in. */
  origin(): string | undefined;
};

/** Follows the settings of the identity provider: `current` returns another object once one of them changed. */
export function createLiveProvider(
  current: () => ProviderSettings,
  options: Pick<IdentityProviderOptions, 'db' | 'now'>,
): LiveProvider {
  let seen: ProviderSettings | undefined;
  let provider: IdentityProvider | undefined;
  let origin: string | undefined;
  const read = (): ProviderSettings => {
    const settings = current();
    if (settings === seen) return settings;
    seen = settings;
    const { identityProvider, allowedEmails } = settings;
    provider =
      identityProvider === undefined
        ? undefined
        : createIdentityProvider({ ...identityProvider, allowedEmails, ...options });
    origin = identityProvider === undefined ? undefined : new URL(identityProvider.issuer).origin;
    return settings;
  };
  return {
    settings: () => read().identityProvider,
    now() {
      read();
      return provider;
    },
    origin() {
      read();
      return origin;
    },
  };
}
