import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of an archive written byte by byte, honest unless told otherwise. */
export type ZipEntry = {
  readonly name: string;
  readonly content?: string | Buffer;
  /** Deflated unless true. */
  readonly stored?: boolean;
  /** False values for its directory entry. */
  readonly says?: {
    readonly size?: number;
    readonly packedSize?: number;
    readonly flags?: number;
    readonly method?: number;
    /** Type and rights as Unix has them, such as 0o120777 of a link. */
    readonly mode?: number;
    /** Index of the entry whose bytes, already in the archive, it claims as its own. */
    readonly placeOf?: number;
  };
  /** Packed bytes, instead of those of its content. */
  readonly packed?: Buffer;
};

/** A zip archive (APPNOTE 4.3), also one that no honest program writes. `entryCount` is what its end says. */
export function zipBytes(
  entries: readonly ZipEntry[],
  { entryCount = entries.length, comment = '' }: { entryCount?: number; comment?: string } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const places: number[] = [];
  let length = 0;
  const add = (bytes: Buffer): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const { name, content = '', stored = false, says = {}, packed: given } of entries) {
    const bytes = Buffer.from(content);
    const packed = given ?? (stored ? bytes : deflateRawSync(bytes));
    const facts = fields(
      [2, 20],
      [2, says.flags ?? 0x0800],
      [2, says.method ?? (stored ? 0 : 8)],
      [4, 0x5c6a4000],
      [4, crc32(bytes)],
      [4, says.packedSize ?? packed.length],
      [4, says.size ?? bytes.length],
      [2, Buffer.byteLength(name)],
      [2, 0],
    );
    places.push(length);
    const claimed = says.placeOf === undefined ? length : (places[says.placeOf] ?? length);
    if (says.placeOf === undefined)
      add(Buffer.concat([fields([4, 0x04034b50]), facts, Buffer.from(name), packed]));
    directory.push(
      Buffer.concat([
        fields([4, 0x02014b50], [2, 0x0314]),
        facts,
        fields([2, 0], [2, 0], [2, 0], [4, ((says.mode ?? 0) << 16) >>> 0], [4, claimed]),
        Buffer.from(name),
      ]),
    );
  }
  const start = length;
  const central = Buffer.concat(directory);
  add(central);
  add(
    Buffer.concat([
      fields(
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, Math.min(entryCount, 0xffff)],
        [2, Math.min(entryCount, 0xffff)],
        [4, central.length],
        [4, start],
        [2, Buffer.byteLength(comment)],
      ),
      Buffer.from(comment),
    ]),
  );
  return Buffer.concat(parts);
}

/** Little-endian numbers, each after its length in bytes. */
function fields(...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const out = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of numbers) at = out.writeUIntLE(value, at, bytes);
  return out;
}
