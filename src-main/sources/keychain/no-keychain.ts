import { type Keychain, KeychainError } from './keychain.ts';

const off = 'The keychain is not used: CONSOLE_KEYCHAIN is off.';

/** A stand-in for the keychain when CONSOLE_KEYCHAIN is off: it is empty and refuses writes. */
export function noKeychain(): Keychain {
  const refuse = async (): Promise<never> => {
    throw new KeychainError('off', off);
  };
  return {
    state: async () => ({ state: 'off', detail: off }),
    get: async () => undefined,
    set: refuse,
    add: refuse,
    delete: async () => false,
  };
}
