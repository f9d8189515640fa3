import { capitalised } from '#shared/text.ts';
/** A store that cannot be opened or used. The message says what happened, to which store, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The same without the store's place, for callers who need not know it. */
  readonly publicMessage: string;

  constructor(message: string, options: ErrorOptions & { readonly publicMessage?: string } = {}) {
    super(message, options);
    this.publicMessage = options.publicMessage ?? message;
  }
}

/**
 * The name of the program that owns the store, and the variables for the store's location, as named in
 * messages.
 */
export type StoreLabels = {
  /** Such as `console`. */
  readonly program: string;
  /** The variable that names a database on a server. */
  readonly database: string;
  /** The variable that says where the embedded store's file is. */
  readonly file: string;
  /** The variable that gives the key of an encrypted file; undefined for a program that encrypts none. */
  readonly key?: string;
};

/** The console's own names. */
export const consoleLabels: StoreLabels = {
  program: 'console',
  database: 'CONSOLE_DATABASE_URL',
  file: 'CONSOLE_DATA_DIR',
  key: 'CONSOLE_STORE_KEY',
};

type Meaning = (store: string, labels: StoreLabels) => string;

const full: Meaning = (store) =>
  `The disk of ${store} is full: nothing was written. Free some space and try again.`;
const locked: Meaning = (store) =>
  `${store} has been locked by another program for more than 5 s: close that program and try again. Nothing was changed.`;
const unwritable: Meaning = (store) =>
  `${store} cannot be opened for writing: check the owner and mode of the file and of its folder.`;
const away: Meaning = (store, labels) =>
  `${store} does not answer: check that it runs and that ${labels.database} names it, then try again.`;
const distrusted: Meaning = (store, labels) =>
  `The certificate of ${store} is not trusted: set sslrootcert in ${labels.database} to its CA, or give the server a certificate for its name.`;
const refused: Meaning = (store, labels) =>
  `${store} refused the credentials: check the user and password in ${labels.database}.`;

/** Explanations of errors of the embedded store, by code or by its start up to an underscore. */
const sqliteMeanings: Readonly<Record<string, Meaning>> = {
  SQLITE_NOTADB: (store, labels) =>
    `${store} cannot be read with this key: it was created with another one, or its first page is damaged. Nothing was changed. ${labels.key === undefined ? 'Point' : `Use the key it was created with (${labels.key}, or the keychain of the person who created it), or point`} ${labels.file} elsewhere.`,
  SQLITE_CORRUPT: (store) =>
    `${store} is damaged: a page fails authentication. Nothing was changed: restore the file from a backup.`,
  SQLITE_FULL: full,
  ENOSPC: full,
  EDQUOT: full,
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_READONLY_DBMOVED: (store, labels) =>
    `The file of ${store} was moved or replaced while the ${labels.program} had it open: stop the ${labels.program}, put the right file back and restart.`,
  SQLITE_READONLY: unwritable,
  SQLITE_CANTOPEN: unwritable,
  EACCES: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
  EEXIST: unwritable,
  ENOTDIR: unwritable,
  SQLITE_IOERR: (store) =>
    `${store} could not be read or written: the disk reports an error. Check the disk.`,
};

/**
 * Explanations of PostgreSQL errors, by SQLSTATE or its start
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const sqlStates: readonly (readonly [string, Meaning])[] = [
  ['08', away],
  [
    '25006',
    (store, labels) =>
      `${store} is read-only: point ${labels.database} at the primary, or wait for failover.`,
  ],
  ['28', refused],
  [
    '3D000',
    (store, labels) => `${store} does not exist on its server: create it, or correct ${labels.database}.`,
  ],
  [
    '42501',
    (store, labels) =>
      `The user of ${labels.database} may not do this in ${store}: grant it CREATE on its own schema.`,
  ],
  ['53100', full],
  [
    '53300',
    (store) =>
      `${store} has no free connections: raise its max_connections, or run fewer programs on it (docs/scale.md).`,
  ],
  ['57P', away],
  ['58', (store) => `${store} could not be read or written: its server reports a disk error. Check it.`],
  ['XX001', (store) => `${store} is damaged: its server cannot read a page. Restore it from a backup.`],
];

/** Failures of the connection to PostgreSQL, by the code Node gives them. */
const connectionMeanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: away,
  ECONNRESET: away,
  ECONNABORTED: away,
  ENOTFOUND: away,
  EAI_AGAIN: away,
  ETIMEDOUT: away,
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  EPIPE: away,
  ENOENT: away,
  SELF_SIGNED_CERT_IN_CHAIN: distrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: distrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: distrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: distrusted,
  CERT_HAS_EXPIRED: distrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: distrusted,
};

/** Messages of `pg` that have no code. */
const driverMessages: readonly (readonly [RegExp, Meaning])[] = [
  [/^timeout exceeded when trying to connect/, away],
  [/^Connection terminated|^Client (?:has encountered a connection error|was closed)/, away],
  [/^There was an error establishing an SSL connection/, away],
  [
    /^Query read timeout/,
    (store) =>
      `${store} did not answer in time: it is overloaded, or the network to it is broken. Try again in a moment.`,
  ],
  [/^SASL: /, refused],
  [
    /^The server does not support SSL/,
    (store, labels) =>
      `${store} does not speak TLS, which sslmode in ${labels.database} requires: enable it on the server, or correct the URL.`,
  ],
];

/**
 * Returns the error for a failure of the store's driver or of its files: with a message for the person when
 * the store itself failed, and unchanged otherwise (a constraint, a bug). `place` names the store in full.
 */
export function explained(
  error: unknown,
  kind: 'sqlite' | 'postgres',
  place: string,
  labels: StoreLabels = consoleLabels,
): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const meaning = kind === 'sqlite' ? sqliteMeaning(error) : postgresMeaning(error);
  if (meaning === undefined) return error;
  const subject = kind === 'sqlite' ? 'The store' : 'The database';
  return new StoreError(meaning(place, labels), {
    cause: error,
    publicMessage: capitalised(meaning(subject.toLowerCase(), labels)),
  });
}

/**
 * Returns the message about a failing store for the caller of a request, or undefined for an error that is
 * not the store's.
 */
export function storeTrouble(error: unknown): string | undefined {
  return error instanceof StoreError ? error.publicMessage : undefined;
}

function sqliteMeaning(error: Error): Meaning | undefined {
  for (let code = codeOf(error); code !== ''; code = code.slice(0, Math.max(0, code.lastIndexOf('_')))) {
    const meaning = sqliteMeanings[code];
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

function postgresMeaning(error: Error): Meaning | undefined {
  const code = codeOf(error);
  // Only the server's own errors have a severity; the code of any other is Node's.
  if ('severity' in error) return sqlStates.find(([start]) => code.startsWith(start))?.[1];
  return connectionMeanings[code] ?? driverMessages.find(([labels]) => labels.test(error.message))?.[1];
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
