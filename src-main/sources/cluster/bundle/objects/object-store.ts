import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { errorMessage } from '../../../../base/error-message.ts';
import { deepestObject, isDeeperThan, isRecord, type RawObject } from '../../../../cluster-model/index.ts';
import { yamlObject } from '../../documents/yaml-object.ts';
import { shownName } from '../archive/entry-path.ts';
import type { Pace } from '../pace.ts';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/**
 * Length of the text in one block: large enough to pack to about a tenth, small enough to unpack for one
 * object in a millisecond.
 */
const blockLength = 256 * 1024;

/** Bytes of one object's text: etcd stores objects of 1.5 MB, which are a little longer as text. */
const largestObject = 4 * 1024 * 1024;

/**
 * The location an object was read from: its file, and its offset there in bytes (JSON) or characters (YAML).
 */
export type Origin = { readonly file: string; readonly offset: number };

/** An object's identity, which its own text may leave to its list or to its file's path. */
export type Identified = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
};

/** An object's own text. */
export type ObjectText = { readonly form: 'json' | 'yaml'; readonly text: Buffer };

export type NewObject = Identified &
  Origin &
  ObjectText & {
    readonly uid: string | undefined;
    /** A second copy, such as a pod's own file beside the list: another one takes its place. */
    readonly isCopy: boolean;
  };

type Slot = Identified &
  Origin & {
    readonly form: ObjectText['form'];
    readonly isCopy: boolean;
    /** Index of its block; the block being filled is the one after the last. */
    readonly block: number;
    readonly from: number;
    readonly to: number;
  };

/** The objects of one kind, by namespace and name. */
type Shelf = {
  readonly slots: Map<string, Slot>;
  readonly byUid: Map<string, string>;
  readonly packed: Promise<Buffer>[];
  filling: Buffer[];
  fillingLength: number;
};

/** One object, under a key that sorts by namespace and name; or why its text is not one, a sentence. */
export type Stored =
  | {
      readonly key: string;
      readonly object: RawObject;
      /** Bytes of its text. */
      readonly length: number;
      readonly problem?: undefined;
    }
  | { readonly key: string; readonly object?: undefined; readonly problem: string };

export type PageRequest = {
  readonly namespace: string | undefined;
  /** Key of the last object of the page before. */
  readonly after: string | undefined;
};

/**
 * The objects of a bundle, each once, as packed text in memory: a tenth of what parsed ones take, and nothing of a
 * bundle's content is written to the disk for it. They are parsed when they are asked for. Kinds go by any text.
 */
export type ObjectStore = {
  /** False when it is there already. */
  add(kind: string, object: NewObject): Promise<boolean>;
  /** Packs what is not yet. */
  finish(): Promise<void>;
  kinds(): readonly string[];
  has(kind: string): boolean;
  count(kind: string): number;
  /** In the order they are stored. */
  all(kind: string, pace: Pace, namespace?: string): AsyncGenerator<Stored>;
  /**
   * A page in the order of namespace and name, after the key the page before ended with. Blocks are kept from one object
   * to the next, as files hold about that order.
   */
  page(kind: string, request: PageRequest, pace: Pace): AsyncGenerator<Stored>;
  get(kind: string, name: string, namespace?: string): Promise<Stored | undefined>;
  origin(kind: string, name: string, namespace?: string): Origin | undefined;
  hasNamespaced(kind: string): boolean;
};

export function createObjectStore(): ObjectStore {
  const shelves = new Map<string, Shelf>();

  const shelfOf = (kind: string): Shelf => {
    const shelf = shelves.get(kind) ?? {
      slots: new Map(),
      byUid: new Map(),
      packed: [],
      filling: [],
      fillingLength: 0,
    };
    shelves.set(kind, shelf);
    return shelf;
  };

  /** Packing goes on beside the reading, one block at a time. */
  let packing: Promise<unknown> = Promise.resolve();
  const flush = async (shelf: Shelf): Promise<void> => {
    if (shelf.filling.length === 0) return;
    const block = Buffer.concat(shelf.filling);
    shelf.filling = [];
    shelf.fillingLength = 0;
    await packing;
    const packed = pack(block, { level: 1 });
    shelf.packed.push(packed);
    packing = packed;
  };

  const blockOf = async (shelf: Shelf, block: number): Promise<Buffer> => {
    const packed = await shelf.packed[block];
    return packed === undefined ? Buffer.concat(shelf.filling) : unpack(packed);
  };

  return {
    async add(kind, { text, uid, ...facts }) {
      const shelf = shelfOf(kind);
      const key = keyOf(facts);
      const known = shelf.slots.get((uid && shelf.byUid.get(uid)) ?? key) ?? shelf.slots.get(key);
      if (known !== undefined && (facts.isCopy || !known.isCopy)) return false;
      const from = shelf.fillingLength;
      shelf.slots.set(key, { ...facts, block: shelf.packed.length, from, to: from + text.length });
      if (uid !== undefined) shelf.byUid.set(uid, key);
      shelf.filling.push(text);
      shelf.fillingLength += text.length;
      if (shelf.fillingLength >= blockLength) await flush(shelf);
      return known === undefined;
    },

    async finish() {
      for (const shelf of shelves.values()) await flush(shelf);
      await packing;
    },

    kinds: () => [...shelves.keys()],
    has: (kind) => shelves.has(kind),
    count: (kind) => shelves.get(kind)?.slots.size ?? 0,

    async *all(kind, pace, namespace) {
      const shelf = shelves.get(kind);
      if (shelf === undefined) return;
      let block: Buffer = Buffer.alloc(0);
      let unpacked = -1;
      // A map keeps the order of its entries, so that each block is unpacked about once.
      for (const slot of shelf.slots.values()) {
        if (namespace !== undefined && slot.namespace !== namespace) continue;
        if (slot.block !== unpacked) {
          block = await blockOf(shelf, slot.block);
          unpacked = slot.block;
        }
        yield stored(slot, block);
        await pace.breathe();
      }
    },

    async *page(kind, { namespace, after }, pace) {
      const shelf = shelves.get(kind);
      if (shelf === undefined) return;
      let block: Buffer = Buffer.alloc(0);
      let unpacked = -1;
      for (const key of [...shelf.slots.keys()].sort()) {
        const slot = shelf.slots.get(key);
        if (slot === undefined || (after !== undefined && key <= after)) continue;
        if (namespace !== undefined && slot.namespace !== namespace) continue;
        if (slot.block !== unpacked) {
          block = await blockOf(shelf, slot.block);
          unpacked = slot.block;
        }
        yield stored(slot, block);
        await pace.breathe();
      }
    },

    async get(kind, name, namespace) {
      const shelf = shelves.get(kind);
      const slot = shelf?.slots.get(keyOf({ name, namespace }));
      if (shelf === undefined || slot === undefined) return undefined;
      return stored(slot, await blockOf(shelf, slot.block));
    },

    origin(kind, name, namespace) {
      const slot = shelves.get(kind)?.slots.get(keyOf({ name, namespace }));
      return slot === undefined ? undefined : { file: slot.file, offset: slot.offset };
    },

    hasNamespaced: (kind) =>
      [...(shelves.get(kind)?.slots.values() ?? [])].some(({ namespace }) => namespace !== undefined),
  };
}

/** With what its own text leaves out: apiVersion, kind and namespace. */
function stored(slot: Slot, block: Buffer): Stored {
  const key = keyOf(slot);
  const problem = (why: string): Stored => ({
    key,
    problem: `${slot.kind} ${key.trim().replace(' ', '/')} was not understood: what begins at ${slot.form === 'json' ? 'byte' : 'character'} ${slot.offset} of ${shownName(slot.file)} ${why}.`,
  });
  if (slot.to - slot.from > largestObject)
    return problem(`is larger than ${largestObject >> 20} MB, which no Kubernetes object is`);
  const text = block.toString('utf8', slot.from, slot.to);
  try {
    const object: unknown = slot.form === 'json' ? JSON.parse(text) : yamlObject(text);
    if (!isRecord(object) || !isRecord(object.metadata)) throw new Error('it is no object');
    // At a few thousand levels a message to another thread is lost without a word.
    if (isDeeperThan(object, deepestObject))
      return problem(`is nested more than ${deepestObject} levels deep, which no Kubernetes object is`);
    const { apiVersion, kind, namespace } = slot;
    const metadata = namespace === undefined ? object.metadata : { ...object.metadata, namespace };
    return { key, object: { ...object, apiVersion, kind, metadata }, length: slot.to - slot.from };
  } catch (error) {
    return problem(`is no valid ${slot.form.toUpperCase()} (${errorMessage(error)})`);
  }
}

/** A space sorts before all that names may hold, and is in none. */
const keyOf = ({ name, namespace }: Pick<Identified, 'name' | 'namespace'>): string =>
  `${namespace ?? ''} ${name}`;
