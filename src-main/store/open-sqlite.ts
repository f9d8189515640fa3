import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';

/**
 * Opens an embedded SQLite file: WAL, `synchronous=FULL` (a commit survives a power cut), foreign keys on, 5 s busy
 * timeout, file mode 0600. `:memory:` is allowed, for programs that keep nothing.
 */
export function openSqlite(file: string): Database.Database {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Made before SQLite would make it under the process's umask; its -wal and -shm take the same mode.
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  }
  const db = new Database(file, { timeout: 5000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  return db;
}
