import { gzipSync } from 'node:zlib';

/** An entry of a tar archive written byte by byte, honest unless told otherwise. */
export type TarBytesEntry = {
  readonly name: string;
  readonly content?: string | Buffer;
  /** `0` file, `1` hard link, `2` symbolic link, `3` device, `5` folder, `x` pax header, `L` GNU long name. */
  readonly type?: string;
  readonly linkName?: string;
  /** False values for its header. */
  readonly says?: { readonly size?: number; readonly checksum?: number };
};

export function tarBytes(entries: readonly TarBytesEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryBytes), Buffer.alloc(1024)]);
}

export function tarGz(entries: readonly TarBytesEntry[]): Buffer {
  return gzipSync(tarBytes(entries));
}

/** Files by path, as an archive. */
export function bundleOf(files: Readonly<Record<string, unknown>>): Buffer {
  return tarGz(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    })),
  );
}

function entryBytes({ name, content = '', type = '0', linkName = '', says = {} }: TarBytesEntry): Buffer[] {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(512);
  const octal = (value: number, at: number, length: number): void => {
    head.write(value.toString(8).padStart(length - 1, '0'), at);
  };
  head.write(name.slice(0, 100), 0);
  octal(0o600, 100, 8);
  octal(says.size ?? bytes.length, 124, 12);
  octal(1_700_000_000, 136, 12);
  head.write('        ', 148);
  head.write(type, 156);
  head.write(linkName.slice(0, 100), 157);
  head.write('ustar\0', 257, 'latin1');
  octal(says.checksum ?? head.reduce((sum, byte) => sum + byte, 0), 148, 8);
  return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}
