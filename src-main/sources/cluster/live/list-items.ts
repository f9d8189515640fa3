import { ClusterFailure } from './failures.ts';

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Bytes of one object; etcd holds objects of 1.5 MB. */
const largestItem = 16 * 1024 * 1024;
/** Bytes of a list beside its objects: kind and metadata. */
const largestEnvelope = 1024 * 1024;
const metadata = Buffer.from('"metadata":{');
const managed = Buffer.from('"managedFields":[');
const nothing = Buffer.from('null');

/**
 * The objects of a list (`{"kind":"PodList","metadata":{},"items":[...]}`) one by one while its bytes come, so that neither
 * its text nor its objects are ever in memory as a whole: 500 pods are 4 MB of text and several times that as objects, of
 * which a tenth is kept. managedFields, half of the bytes and read by nobody, are not even parsed.
 *
 * Answers with the list's own fields, without `items`; those that stand before the items, which a server writes in Go are all
 * of them, are told to `onHead` before the first item. Throws a `refused` failure for what is no list.
 */
export async function readListItems(
  body: AsyncIterable<Uint8Array>,
  act: string,
  onItem: (item: unknown) => void,
  onHead: (head: unknown) => void = () => undefined,
): Promise<unknown> {
  /** The list without its objects. */
  let envelope = nothing.subarray(0, 0);
  /** Pieces of the object that is being read. */
  let pieces: Buffer[] = [];
  let size = 0;
  let position: 'before' | 'items' | 'after' = 'before';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let inMetadata = false;
  /** Depth around a managedFields that is being skipped. */
  let passing: number | undefined;

  const refuse = (why: string): ClusterFailure => new ClusterFailure('refused', `${why}: ${act}.`);
  const keep = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
    if (size > largestItem) throw refuse(`An object of the cluster is larger than ${largestItem >> 20} MB`);
  };
  const around = (piece: Buffer): void => {
    envelope = Buffer.concat([envelope, piece]);
    if (envelope.length > largestEnvelope) throw refuse('The cluster answered something that is no list');
  };
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new ClusterFailure(
        'refused',
        `The cluster answered something that is not JSON: ${act}.`,
        undefined,
        { cause: error },
      );
    }
  };
  const finish = (): void => {
    const [only] = pieces;
    const text = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, size);
    pieces = [];
    size = 0;
    onItem(parse(text.toString('utf8')));
  };

  /** Reads on in a piece of the items; answers where their array ends, when it does in this piece. */
  const readItems = (bytes: Buffer, start: number): number | undefined => {
    // Every byte goes through here: what is looked at most is local, and no function is called for a text.
    const end = bytes.length;
    let from = start;
    let level = depth;
    let within = inString;
    let at = escaped ? start + 1 : start;
    for (; at < end; at += 1) {
      const byte = bytes[at];
      if (within || byte === quote) {
        if (!within) {
          if (level === 1) inMetadata = isAt(bytes, at, metadata);
          if (level === 2 && inMetadata && passing === undefined && isAt(bytes, at, managed)) {
            at += managed.length - 2;
            keep(bytes.subarray(from, at + 1));
            passing = level;
            continue;
          }
          at += 1;
        }
        while (at < end && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
        within = at >= end;
      } else if (byte === openBrace || byte === openBracket) {
        if (level === 0) from = at;
        level += 1;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (level === 0) return at;
        level -= 1;
        if (level === passing) {
          passing = undefined;
          keep(nothing);
          from = at + 1;
        } else if (level === 0) {
          keep(bytes.subarray(from, at + 1));
          finish();
        }
      }
    }
    depth = level;
    inString = within;
    // The byte after a backslash is in the next piece; the loop's own step came on top where a text was left open.
    escaped = within && at > end + 1;
    if (depth > 0 && passing === undefined) keep(Buffer.from(bytes.subarray(from)));
    return undefined;
  };

  for await (const piece of body) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let at = 0;
    if (position === 'before') {
      const head = Buffer.concat([envelope, bytes]);
      const items = itemsAt(head);
      if (items === undefined) {
        around(bytes);
        continue;
      }
      at = items - envelope.length + 1;
      envelope = Buffer.concat([head.subarray(0, items), nothing]);
      position = 'items';
      onHead(parse(`${envelope.toString('utf8')}}`));
    }
    if (position === 'items') {
      const end = readItems(bytes, at);
      if (end === undefined) continue;
      position = 'after';
      at = end + 1;
    }
    around(bytes.subarray(at));
  }
  if (position === 'items') throw refuse('The cluster ended a list before its end');
  return parse(envelope.toString('utf8'));
}

function isAt(bytes: Buffer, at: number, name: Buffer): boolean {
  const end = at + name.length;
  return (
    bytes[at + 1] === name[1] && end <= bytes.length && bytes.compare(name, 0, name.length, at, end) === 0
  );
}

/**
 * Returns the offset of the array in the outer object's field `items`; undefined when it has not arrived yet.
 */
function itemsAt(bytes: Buffer): number | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const from = at + 1;
      for (at = from; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
      if (depth !== 1 || bytes.toString('latin1', from, at) !== 'items') continue;
      let value = at + 1;
      while (isBetween(bytes[value])) value += 1;
      if (bytes[value] === openBracket) return value;
    } else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return undefined;
}

const isBetween = (byte: number | undefined): boolean =>
  byte === colon || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
