export { type Keychain, KeychainError } from './keychain.ts';
export { noKeychain } from './no-keychain.ts';
export { createSystemKeychain } from './system-keychain.ts';
