import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw } from 'node:zlib';

export type ZipEntry = {
  readonly name: string;
  /** Its text, in pieces, made as it is packed. */
  readonly text: Iterable<string>;
};

/** A zip archive, each entry deflated; names in UTF-8. No entry reaches 4 GB. */
export async function zip(entries: readonly ZipEntry[], at: Date): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const { packed, crc, size } = await deflated(entry.text);
    const facts = fields([
      [2, 20],
      // Bit 11: names are UTF-8.
      [2, 0x0800],
      [2, 8],
      [2, (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)],
      [2, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()],
      [4, crc],
      [4, packed.length],
      [4, size],
      [2, name.length],
      [2, 0],
    ]);
    const local = Buffer.concat([fields([[4, 0x04034b50]]), facts, name, packed]);
    directory.push(
      Buffer.concat([
        fields([
          [4, 0x02014b50],
          [2, 20],
        ]),
        facts,
        fields([
          [2, 0],
          [2, 0],
          [2, 0],
          [4, 0],
          [4, offset],
        ]),
        name,
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, central.length],
    [4, offset],
    [2, 0],
  ]);
  return Buffer.concat([...parts, central, end]);
}

async function deflated(text: Iterable<string>): Promise<{ packed: Buffer; crc: number; size: number }> {
  let crc = 0;
  let size = 0;
  const measured = function* (): Iterable<Buffer> {
    for (const piece of text) {
      const bytes = Buffer.from(piece);
      crc = crc32(bytes, crc);
      size += bytes.length;
      yield bytes;
    }
  };
  const packed = await buffer(Readable.from(measured()).pipe(createDeflateRaw({ level: 1 })));
  return { packed, crc, size };
}

/** Little-endian numbers of 2 or 4 bytes. */
function fields(numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const out = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of numbers) at = out.writeUIntLE(value, at, bytes);
  return out;
}
