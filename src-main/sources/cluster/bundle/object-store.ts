import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { RawObject } from '../types.ts';
import type { Pace } from './pace.ts';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** Of JSON in one block: large enough to pack to about a tenth, small enough to unpack for one object in a millisecond. */
const blockLength = 256 * 1024;

/** Where an object was read: its file, and its place in it in bytes (JSON) or characters (YAML). */
export type Origin = { readonly file: string; readonly offset: number };

type Slot = Origin & {
  readonly name: string;
  readonly namespace: string | undefined;
  /** A second copy, such as a pod's own file beside the list: another one takes its place. */
  readonly isCopy: boolean;
  /** Of the block it is in; the block that is being filled is the one after the last. */
  readonly block: number;
  readonly at: number;
};

/** Of a kind, by namespace and name. */
type Shelf = {
  readonly slots: Map<string, Slot>;
  readonly byUid: Map<string, string>;
  /** Packed, objects divided by line ends. */
  readonly blocks: Promise<Buffer>[];
  filling: string[];
  fillingLength: number;
};

export type NewObject = Origin & {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly isCopy: boolean;
};

/**
 * The objects of a bundle, each once, as packed JSON text in memory: a tenth of what parsed ones take, and nothing of a
 * bundle's content is written to the disk for it. Kinds go by any text.
 */
export type ObjectStore = {
  /** False when it is there already. */
  add(kind: string, facts: NewObject, object: RawObject): Promise<boolean>;
  /** Packs what is not yet. */
  finish(): Promise<void>;
  kinds(): readonly string[];
  count(kind: string): number;
  /** In the order of namespace and name. */
  all(kind: string, pace: Pace, namespace?: string): Promise<readonly RawObject[]>;
  get(kind: string, name: string, namespace?: string): Promise<RawObject | undefined>;
  origin(kind: string, name: string, namespace?: string): Origin | undefined;
  hasNamespaced(kind: string): boolean;
};

export function createObjectStore(): ObjectStore {
  const shelves = new Map<string, Shelf>();

  const shelfOf = (kind: string): Shelf => {
    const shelf = shelves.get(kind) ?? {
      slots: new Map(),
      byUid: new Map(),
      blocks: [],
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
    const texts = shelf.filling;
    shelf.filling = [];
    shelf.fillingLength = 0;
    await packing;
    // JSON has no line ends of its own.
    const packed = pack(texts.join('\n'), { level: 1 });
    shelf.blocks.push(packed);
    packing = packed;
  };

  const textsOf = async (shelf: Shelf, block: number): Promise<readonly string[]> => {
    const packed = await shelf.blocks[block];
    return packed === undefined ? shelf.filling : (await unpack(packed)).toString('utf8').split('\n');
  };

  return {
    async add(kind, facts, object) {
      const shelf = shelfOf(kind);
      const key = keyOf(facts.name, facts.namespace);
      const known = shelf.slots.get((facts.uid && shelf.byUid.get(facts.uid)) ?? key) ?? shelf.slots.get(key);
      if (known !== undefined && (facts.isCopy || !known.isCopy)) return false;
      const text = JSON.stringify(object);
      shelf.slots.set(key, {
        name: facts.name,
        namespace: facts.namespace,
        isCopy: facts.isCopy,
        file: facts.file,
        offset: facts.offset,
        block: shelf.blocks.length,
        at: shelf.filling.length,
      });
      if (facts.uid !== undefined) shelf.byUid.set(facts.uid, key);
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
    count: (kind) => shelves.get(kind)?.slots.size ?? 0,

    async all(kind, pace, namespace) {
      const shelf = shelves.get(kind);
      if (shelf === undefined) return [];
      const wanted = new Map<number, Slot[]>();
      for (const slot of shelf.slots.values()) {
        if (namespace !== undefined && slot.namespace !== namespace) continue;
        const inBlock = wanted.get(slot.block);
        if (inBlock === undefined) wanted.set(slot.block, [slot]);
        else inBlock.push(slot);
      }
      const found: { readonly key: string; readonly object: RawObject }[] = [];
      for (const [block, slots] of wanted) {
        const texts = await textsOf(shelf, block);
        for (const slot of slots) {
          found.push({ key: keyOf(slot.name, slot.namespace), object: JSON.parse(texts[slot.at] ?? '{}') });
          await pace.breathe();
        }
      }
      return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ object }) => object);
    },

    async get(kind, name, namespace) {
      const shelf = shelves.get(kind);
      const slot = shelf?.slots.get(keyOf(name, namespace));
      if (shelf === undefined || slot === undefined) return undefined;
      return JSON.parse((await textsOf(shelf, slot.block))[slot.at] ?? '{}');
    },

    origin(kind, name, namespace) {
      const slot = shelves.get(kind)?.slots.get(keyOf(name, namespace));
      return slot === undefined ? undefined : { file: slot.file, offset: slot.offset };
    },

    hasNamespaced: (kind) =>
      [...(shelves.get(kind)?.slots.values() ?? [])].some(({ namespace }) => namespace !== undefined),
  };
}

/** A space sorts before all that names may hold, and is in none. */
const keyOf = (name: string, namespace: string | undefined): string => `${namespace ?? ''} ${name}`;
