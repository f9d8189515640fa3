/** Storage for sealed objects: a folder or an object store. It neither reads nor trusts their content. */
export type ObjectStorage = {
  /** For people, without secrets, such as `the folder /var/lib/campaign`. */
  readonly name: string;
  /** Throws `StorageUnavailable` unless objects can be read and written here; clears away what writers that died left. */
  check(): Promise<void>;
  /**
   * Writes a whole object, in the place of one of that name: a reader sees the old one or the new one, never a part. When `pieces` throws,
   * or the writer dies, there is nothing new.
   */
  write(object: string, pieces: AsyncIterable<Buffer>): Promise<void>;
  /** Undefined when there is no such object. `headBytes` is how much of its beginning is read at once. */
  open(object: string, headBytes: number): Promise<PlacedObject | undefined>;
  /** Names that begin with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>;
  /** Removes an object; one that is not there is removed already. */
  remove(object: string): Promise<void>;
};

/** One object, the same from its opening on, whatever is written under its name meanwhile. */
export type PlacedObject = {
  /** In bytes, as stored. */
  readonly size: number;
  /** Its first bytes, all of them when it is short. */
  readonly head: Buffer;
  /**
   * The bytes from `start` up to `end` in pieces of exactly `pieceBytes`, but for the last one. A piece may be overwritten once the next
   * one is asked for. Throws when the store no longer has all of them.
   */
  read(start: number, end: number, pieceBytes: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
};

/** A place that does not answer, or lets nothing be read or written. The message says which and why, without secrets. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

const segment = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9_-])?$/;

/**
 * True for a name an object may have: up to eight parts between slashes, each 1 to 100 of a-z, 0-9, dot, hyphen and underscore, not
 * beginning or ending with a dot. Lower case only, because some file systems do not tell cases apart; a part ending in `.sealed` would
 * meet the file of another object.
 */
export function isObjectName(name: string): boolean {
  const parts = name.split('/');
  return parts.length <= 8 && parts.every((part) => segment.test(part) && !part.endsWith('.sealed'));
}
