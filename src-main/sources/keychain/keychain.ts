import type { KeychainState } from '#shared/api/settings.ts';

/** The system's keychain, for one installation of the console. Every entry is text. */
export type Keychain = {
  /** Asked of the keychain, every few seconds at most, by an entry that is written and removed again. */
  state(): Promise<KeychainState>;
  /** The entry, or undefined. Throws `KeychainError` when the keychain does not answer or is locked. */
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Keeps the first value only: false when there is one already, also by a program that starts at the same time. */
  add(name: string, value: string): Promise<boolean>;
  /** True when there was one. */
  delete(name: string): Promise<boolean>;
};

/** The keychain cannot be used: the message says why and what to do. */
export class KeychainError extends Error {
  override readonly name = 'KeychainError';
  readonly state: 'locked' | 'absent' | 'off';

  constructor(state: KeychainError['state'], message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.state = state;
  }
}
