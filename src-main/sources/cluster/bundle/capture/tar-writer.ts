import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { errorMessage } from '../../../../base/error-message.ts';
import { BundleError } from '../bundle-error.ts';

/** A .tar.gz that is written file by file, for its owner only. */
export type TarWriter = {
  /** Throws `BundleError` when the disk does not take it. */
  add(path: string, content: string | Buffer): Promise<void>;
  /** Ends it, and gives it its name: a reader never takes half of it for the whole. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
};

const blockLength = 512;

/** `changedAt`: epoch milliseconds, of every entry. */
export function createTarWriter(file: string, changedAt: number): TarWriter {
  const draft = `${file}.${process.pid}.tmp`;
  const gzip = createGzip();
  const out = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
  const written = finished(gzip.pipe(out));
  let failure: unknown;
  written.catch((error: unknown) => {
    failure = error;
    gzip.destroy();
  });

  const notWritten = (error: unknown): never => {
    throw new BundleError(
      `${file} cannot be written (${errorMessage(error)}): check its folder, and the room on its disk.`,
      { cause: error },
    );
  };
  const write = async (bytes: Buffer): Promise<void> => {
    if (failure !== undefined) notWritten(failure);
    // A disk that fails ends the stream, which then never drains.
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written]).catch(notWritten);
  };

  return {
    async add(path, content) {
      const bytes = Buffer.from(content);
      const name = Buffer.from(path);
      // ustar has room for 100 bytes; a pax record holds any name.
      if (name.length > 100) {
        const record = paxRecord('path', path);
        await write(header(Buffer.from('PaxHeaders/path'), record.length, changedAt, 'x'));
        await write(padded(record));
      }
      await write(header(name.subarray(0, 100), bytes.length, changedAt, '0'));
      if (bytes.length > 0) await write(padded(bytes));
    },
    async finish() {
      await write(Buffer.alloc(2 * blockLength));
      gzip.end();
      await written.catch(notWritten);
      await rename(draft, file).catch(notWritten);
    },
    async discard() {
      gzip.destroy();
      out.destroy();
      await written.catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

/** The length that a record begins with counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function header(name: Buffer, size: number, changedAt: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(blockLength);
  const octal = (value: number, length: number): string => value.toString(8).padStart(length - 1, '0');
  name.copy(block);
  block.write(octal(0o600, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(Math.floor(changedAt / 1000), 12), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\0', 257, 'latin1');
  block.write('00', 263);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\0 `,
    148,
    'latin1',
  );
  return block;
}

function padded(bytes: Buffer): Buffer {
  const over = bytes.length % blockLength;
  return over === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(blockLength - over)]);
}
