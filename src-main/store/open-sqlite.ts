import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { makeFolderSync } from '../base/make-folder.ts';

/** Length of a store's encryption key, in bytes. */
const storeKeyBytes = 32;

/** The first bytes of a file that SQLite did not encrypt (https://www.sqlite.org/fileformat.html, section 1.3). */
const plainHeader = 'SQLite format 3\0';
/**
 * Bytes 16 to 23 of a file that it did encrypt, where the cipher leaves the format readable and does not seal it: page
 * size 4096, twice the version (1, or 2 for WAL), the bytes of each page kept for its seal (80; none in a build of
 * SQLite that has no such cipher), and three constants. No single flipped bit makes one of these the other.
 */
const sealedFormat = /^1000(?:0101|0202)(?:50|00)402020$/;
/** Longest wait for a file locked by another program, in ms. */
const patience = 5000;

/**
 * Opens an embedded SQLite file: WAL, `synchronous=FULL` (a commit survives a power cut), foreign keys on, 5 s busy
 * timeout, file mode 0600, nothing spilled into temporary files. `:memory:` is allowed, for programs that keep nothing.
 *
 * With `encryption` the file is encrypted and each page authenticated (SQLCipher: AES-256-CBC, HMAC-SHA-512) under that
 * raw key; a file of an older version that is not yet encrypted becomes so. `none` is a decision the caller has to
 * write down: an empty key would silently mean plain text. Throws what SQLite and the file system throw.
 */
export function openSqlite(file: string, encryption: Buffer | 'none'): Database.Database {
  if (encryption !== 'none' && encryption.length !== storeKeyBytes) {
    throw new RangeError(`A store key is ${storeKeyBytes} bytes, this one is ${encryption.length}.`);
  }
  if (file === ':memory:') return openFile(file, encryption);
  // Absolute: SQLite would read a name that begins with "file:" as a URL.
  const path = resolve(file);
  makePrivate(path);
  if (encryption === 'none') return openFile(path, encryption);
  if (isPlain(path)) encryptPlainFile(path, encryption);
  const head = headOf(path);
  if (head.length > 0 && !sealedFormat.test(head.subarray(plainHeader.length).toString('hex')))
    throw new Database.SqliteError('the format in the header is damaged', 'SQLITE_NOTADB');
  try {
    return openFile(path, encryption);
  } catch (error) {
    // The salt of a new file is its maker's: a program that looked before another one wrote the first page has chosen
    // a salt of its own, and has to look again.
    if (head.length === 0 && codeOf(error) === 'SQLITE_NOTADB') return openFile(path, encryption);
    throw error;
  }
}

function openFile(file: string, encryption: Buffer | 'none'): Database.Database {
  const db = new Database(file, { timeout: patience });
  try {
    if (encryption !== 'none') {
      db.pragma("cipher = 'sqlcipher'");
      db.pragma(`key = ${rawKey(encryption)}`);
    }
    // A sort too large for memory would be written to a temporary file in plain text.
    db.pragma('temp_store = MEMORY');
    const mode: unknown = db.pragma('journal_mode = WAL', { simple: true });
    if (mode !== (file === ':memory:' ? 'memory' : 'wal'))
      throw new Database.SqliteError(`the journal mode stayed ${String(mode)}`, 'SQLITE_BUSY');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes the file, or sees that it is writable and its owner's alone; its -wal and -shm take the same mode. */
function makePrivate(file: string): void {
  makeFolderSync(dirname(file));
  try {
    // Made before SQLite would make it under the process's umask.
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Asked, not opened: closing any descriptor of the file would drop the locks SQLite holds on it in this process.
    accessSync(file, constants.R_OK | constants.W_OK);
    if ((statSync(file).mode & 0o777) !== 0o600) chmodSync(file, 0o600);
  }
}

/** True for a store that exists, is not empty and is encrypted. */
export function isEncryptedFile(file: string): boolean {
  return existsSync(file) && headOf(file).length > 0 && !isPlain(file);
}

/** True for a store that holds something and is not encrypted. */
function isPlain(file: string): boolean {
  return headOf(file).toString('latin1').startsWith(plainHeader);
}

/** The first 24 bytes, or what there is of them. */
function headOf(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(24);
    return head.subarray(0, readSync(handle, head, 0, head.length, 0));
  } finally {
    closeSync(handle);
  }
}

/**
 * Replaces a plain file by an encrypted copy. Not `rekey` on the file itself: killed half-way, that left a
 * rollback journal in plain text beside encrypted pages, which neither key could open (8 of 60 tries).
 * Whenever this is killed, the file is either the plain one, whole, or the encrypted one, whole.
 */
function encryptPlainFile(file: string, key: Buffer): void {
  const before = statSync(file).ino;
  const plain = new Database(file, { timeout: patience });
  try {
    // Kept from here on: nobody else may write between the copy and its taking the file's place.
    plain.pragma('locking_mode = EXCLUSIVE');
    // Moves what a -wal still holds into the file. A mode that cannot be changed is answered, not always an error
    // (https://www.sqlite.org/pragma.html#pragma_journal_mode).
    if (plain.pragma('journal_mode = DELETE', { simple: true }) !== 'delete')
      throw new Database.SqliteError('another program has the file open', 'SQLITE_BUSY');
    plain.exec('begin exclusive; commit');
    // Another program, started at the same time, had its turn first.
    if (statSync(file).ino !== before) return;
    const draft = encryptedCopy(plain, file, key);
    // Windows does not replace a file that is open.
    if (process.platform === 'win32') plain.close();
    // Left by a program that was killed here before. Nothing in it counts any more, and beside the encrypted file it
    // must not look as if it did.
    rmSync(`${file}-journal`, { force: true });
    renameSync(draft, file);
    if (process.platform !== 'win32') sync(dirname(file), 'r');
  } catch (error) {
    // The other program was done before this one could read the file.
    if (isPlain(file)) throw error;
  } finally {
    plain.close();
  }
}

/**
 * Writes a complete, checked and flushed copy beside the file; the remains of an earlier, killed run are
 * overwritten.
 */
function encryptedCopy(plain: Database.Database, file: string, key: Buffer): string {
  const draft = `${file}.encrypting`;
  try {
    rmSync(draft, { force: true });
    closeSync(openSync(draft, 'ax', 0o600));
    plain.prepare('vacuum into ?').run(draft);
    const copy = new Database(draft);
    try {
      // Its journal and what it sorts stay in memory: nothing more of the plain text touches the disk.
      copy.pragma('journal_mode = MEMORY');
      copy.pragma('temp_store = MEMORY');
      copy.pragma("cipher = 'sqlcipher'");
      copy.pragma(`rekey = ${rawKey(key)}`);
    } finally {
      copy.close();
    }
    const check = openFile(draft, key);
    try {
      const answer: unknown = check.pragma('quick_check', { simple: true });
      if (answer !== 'ok')
        throw new Error(`the encrypted copy of ${file} failed its check: ${String(answer)}`);
    } finally {
      check.close();
    }
    sync(draft, 'r+');
    return draft;
  } catch (error) {
    for (const part of ['', '-wal', '-shm']) rmSync(`${draft}${part}`, { force: true });
    throw error;
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
function sync(path: string, flags: string): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A raw key: used as it is, not stretched like a passphrase (https://www.zetetic.net/sqlcipher/sqlcipher-api/#key). */
function rawKey(key: Buffer): string {
  return `"x'${key.toString('hex')}'"`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
