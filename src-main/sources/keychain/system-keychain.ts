import type { AsyncEntry, EntryOptions } from '@napi-rs/keyring';
import type { KeychainState } from '#shared/api/settings.ts';
import { claimInstallationId, newInstallationId, readInstallationId } from './installation.ts';
import { type Keychain, KeychainError } from './keychain.ts';
import { sessionBusAnswers } from './session-bus.ts';

/** Under which every entry is kept; the account is `<name>@<installation>`. */
const service = 'operator-console';

// Unpinned, the library falls back silently to the kernel's keyring, which is lost when the machine restarts.
const entryOptions: EntryOptions = { linux: { store: 'secret-service' } };

/** Time a person has to answer the keychain's unlock prompt, in ms. */
const answerTime = 30_000;
/** Timeout for the session bus, in ms. */
const busTime = 3000;
/** Time the state is cached, in ms: reading it may put a prompt on the screen. */
const stateTime = 5000;

/** Name of the entry that is written and removed to learn the state. */
const probe = 'probe';

const messages = messagesFor(process.platform);

/**
 * The keychain of the system (macOS Keychain, Windows Credential Manager, on Linux the Secret Service), for the
 * installation in `folder`. Nothing is asked of it, and its library not loaded, before the first use.
 */
export function createSystemKeychain(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Keychain {
  /** Calls the keychain has not answered in time. While there is one, others would only wait in line behind it. */
  let unanswered = 0;
  let state: { at: number; pending: Promise<KeychainState> } | undefined;
  let bus: { at: number; answers: Promise<boolean> } | undefined;

  const busAnswers = (): Promise<boolean> => {
    if (process.platform !== 'linux') return Promise.resolve(true);
    const now = performance.now();
    if (bus === undefined || now - bus.at > stateTime)
      bus = { at: now, answers: sessionBusAnswers(env, busTime) };
    return bus.answers;
  };

  const call = async <T>(id: string, name: string, act: (entry: AsyncEntry) => Promise<T>): Promise<T> => {
    if (unanswered > 0) throw new KeychainError('locked', messages.waiting);
    if (!(await busAnswers())) throw new KeychainError('absent', messages.absent);
    let timer: NodeJS.Timeout | undefined;
    try {
      const { AsyncEntry } = await import('@napi-rs/keyring');
      const answer = act(new AsyncEntry(service, `${name}@${id}`, entryOptions));
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          unanswered += 1;
          if (unanswered === 1) process.once('exit', endAtOnce);
          answer.then(settled, settled);
          reject(new KeychainError('locked', messages.waiting));
        }, answerTime);
      });
      return await Promise.race([answer, late]);
    } catch (error) {
      throw explained(error);
    } finally {
      clearTimeout(timer);
    }
  };

  const settled = (): void => {
    unanswered -= 1;
    if (unanswered === 0) process.off('exit', endAtOnce);
  };

  const request = async (): Promise<KeychainState> => {
    try {
      // Also before the folder has a name: the entry is gone again at once.
      const id = readInstallationId(folder) ?? newInstallationId();
      await call(id, probe, (entry) => entry.setPassword(probe));
      await call(id, probe, (entry) => entry.deletePassword());
      return { state: 'available', detail: messages.available };
    } catch (error) {
      if (error instanceof KeychainError) return { state: error.state, detail: error.message };
      throw error;
    }
  };

  const keychain: Keychain = {
    state() {
      const now = performance.now();
      if (state === undefined || now - state.at > stateTime) state = { at: now, pending: request() };
      return state.pending;
    },

    async get(name) {
      const id = readInstallationId(folder);
      // A folder without a name never kept anything.
      if (id === undefined) return undefined;
      return (await call(id, name, (entry) => entry.getPassword())) ?? undefined;
    },

    async set(name, value) {
      const id = readInstallationId(folder);
      if (id !== undefined) return call(id, name, (entry) => entry.setPassword(value));
      if (!(await keychain.add(name, value))) return keychain.set(name, value);
    },

    async add(name, value) {
      const known = readInstallationId(folder);
      if (known !== undefined) {
        if ((await keychain.get(name)) !== undefined) return false;
        await keychain.set(name, value);
        return true;
      }
      // The entry first and the folder's name after it: who finds the name finds the entry.
      const id = newInstallationId();
      await call(id, name, (entry) => entry.setPassword(value));
      if (claimInstallationId(folder, id)) return true;
      await call(id, name, (entry) => entry.deletePassword());
      return keychain.add(name, value);
    },

    async delete(name) {
      const id = readInstallationId(folder);
      return id !== undefined && call(id, name, (entry) => entry.deletePassword());
    },
  };
  return keychain;
}

/**
 * Ends the process where its exit would wait for a call that the keychain never answers (measured: 146 s and more at
 * an unlock prompt nobody answered, whatever the exit code).
 */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Explains the library's errors. It gives them no codes; the messages are those of version 2.1 and of the
 * systems.
 */
function explained(error: unknown): KeychainError {
  if (error instanceof KeychainError) return error;
  const message = error instanceof Error ? error.message : '';
  const locked =
    /prompt was dismissed|no result found|is locked|interaction is not allowed|access platform storage/i.test(
      message,
    );
  return locked
    ? new KeychainError('locked', messages.locked, { cause: error })
    : new KeychainError('absent', messages.absent, { cause: error });
}

function messagesFor(
  platform: NodeJS.Platform,
): Record<'available' | 'locked' | 'waiting' | 'absent', string> {
  const name =
    platform === 'darwin'
      ? 'macOS Keychain'
      : platform === 'win32'
        ? 'Windows Credential Manager'
        : 'Secret Service';
  const linux = platform === 'linux';
  return {
    available: `Keys are kept in the keychain (${name}).`,
    locked: linux
      ? `The keychain (${name}) is locked, or has no keyring yet: sign in to the desktop, or unlock it with Passwords and Keys (gnome-keyring) or KWalletManager (KWallet).`
      : `The keychain (${name}) is locked: unlock it.`,
    waiting: `The keychain (${name}) waits for an answer to its unlock prompt: answer it.`,
    absent: linux
      ? `No keychain answers (${name} on the D-Bus session bus): install gnome-keyring or KWallet and start the console in that desktop session. A server has none: set CONSOLE_STORE_KEY, or run \`operator-console keys protect\`.`
      : `The keychain (${name}) does not answer: sign in to the desktop of this user.`,
  };
}
