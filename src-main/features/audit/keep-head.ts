import { errorMessage } from '../../base/error-message.ts';
import type { KeptHeadNote } from './store.ts';
import type { AuditTrailOptions, ChainHead, HeadKeeper } from './trail.ts';

/** Keeps the chain's head outside the store as the chain grows. */
export type HeadKeeping = {
  /** Sets the chain's new last record. */
  appended(head: ChainHead): void;
  /** The head as it is kept now, or why it cannot be read. */
  read(): Promise<KeptHead>;
  /** Returns the head as last read or written here, without reading the keychain again. */
  remembered(): Promise<KeptHead>;
  /** Has the next head written over whatever is kept: somebody answers for it. */
  accept(): void;
  /** Writes the newest head when it is not yet kept. */
  close(): Promise<void>;
};

export type KeptHead =
  | {
      readonly in: 'nowhere';
      readonly head?: undefined;
      /** Why what is kept proves nothing; undefined when none was ever kept. */
      readonly unread?: string;
    }
  | { readonly in: HeadKeeper['kind']; readonly head: ChainHead };

type Options = {
  readonly keeper: HeadKeeper | undefined;
  readonly log: AuditTrailOptions['log'];
  /** The store's note of what was last kept; undefined where it has none. */
  readonly note: KeptHeadNote | undefined;
  /** True when the chain has this record. */
  readonly contains: (head: ChainHead) => Promise<boolean>;
};

/** A keychain takes tens of milliseconds to write: once in this many milliseconds is often enough. */
const writtenEvery = 1000;

/**
 * The first head is written at once, later ones at most once a second, the last one when the console closes. A head
 * that the chain does not have is evidence of what was cut off or rewritten: it is never written over.
 */
export function createHeadKeeping({ keeper, note, log, contains }: Options): HeadKeeping {
  let newest: ChainHead | undefined;
  let kept: ChainHead | undefined;
  let known: KeptHead | undefined;
  let fits = false;
  let warned = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  async function read(): Promise<KeptHead> {
    if (keeper === undefined) return { in: 'nowhere' };
    try {
      // The note first: it is written after the head, so what it names was kept before this read.
      const noted = await note?.read();
      const head = await keeper.read();
      known = judged(keeper.kind, head, noted);
      return known;
    } catch (error) {
      return { in: 'nowhere', unread: errorMessage(error) };
    }
  }

  /** Once for each console: after that, what is kept is what it wrote. */
  async function mayWrite(): Promise<boolean> {
    if (fits) return true;
    const found = await read();
    if (found.in === 'nowhere') {
      if (found.unread !== undefined) throw new Error(found.unread);
      fits = true;
    } else if (await contains(found.head)) {
      fits = true;
    } else {
      warnOnce(
        { kept: found.head },
        'the audit chain lacks the record kept outside the store as its last: it was cut off or rewritten. ' +
          'The kept head is unchanged (operator-console audit verify; docs/audit.md)',
      );
    }
    return fits;
  }

  async function write(): Promise<void> {
    const head = newest;
    if (keeper === undefined || head === undefined || head === kept) return;
    try {
      if (!(await mayWrite())) return;
      await keeper.write(head);
      await note?.write(head.seq);
      kept = head;
      known = { in: keeper.kind, head };
    } catch (error) {
      warnOnce(
        { err: error },
        'the head of the audit chain cannot be kept outside the store: until it can, truncation goes undetected',
      );
    }
  }

  function warnOnce(fields: object, message: string): void {
    if (!warned) log.warn(fields, message);
    warned = true;
  }

  function start(): void {
    timer = undefined;
    const tried = newest;
    writing ??= write().finally(() => {
      writing = undefined;
      // What could not be written is tried again with the next record, not for ever.
      if (newest !== tried) schedule();
    });
  }

  function schedule(): void {
    // Nothing waits for this timer: closing writes what is left.
    timer ??= setTimeout(start, writtenEvery).unref();
  }

  return {
    appended(head) {
      const first = newest === undefined;
      newest = head;
      if (keeper === undefined) return;
      if (first) start();
      else if (writing === undefined) schedule();
    },
    read,
    async remembered() {
      return known ?? (await read());
    },
    accept() {
      fits = true;
    },
    async close() {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      await write();
    },
  };
}

/** Judges what the keeper holds by the store's note: a head that is gone, or older than was kept, was taken away. */
function judged(kind: HeadKeeper['kind'], head: ChainHead | undefined, noted: number | undefined): KeptHead {
  const place = kind === 'keychain' ? 'in the keychain' : 'in the data folder';
  const look =
    'Find the cause first; `operator-console audit accept-head` then accepts the chain as it is, and records that.';
  if (head === undefined)
    return noted === undefined
      ? { in: 'nowhere' }
      : {
          in: 'nowhere',
          unread: `The head is missing: record ${noted} was kept ${place} as the last. ${look}`,
        };
  if (noted === undefined || head.seq >= noted) return { in: kind, head };
  return {
    in: 'nowhere',
    unread: `The head kept ${place} is record ${head.seq}, older than the store says: record ${noted} was kept as the last. ${look}`,
  };
}
