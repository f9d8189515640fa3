import { type FileHandle, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorMessage } from '../../../../base/error-message.ts';
import { BundleError } from '../bundle-error.ts';
import { folderSource } from './folder.ts';
import type { OpenFiles } from './open-files.ts';
import { partOf, type StoredFile } from './stored-file.ts';
import { isTarHead } from './tar.ts';
import { tarSource } from './tar-source.ts';

/** A file of a bundle, or a link to one. Its path has forward slashes, is relative and stays inside the bundle. */
export type BundleEntry = {
  readonly path: string;
  /** Bytes, as far as its writer says. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  /** Path of what it links to; undefined for a file. */
  readonly link: string | undefined;
  /** Location it can be read again from without unpacking the archive a second time. */
  readonly stored: StoredFile | undefined;
  /** Yields its bytes; once, and before the next entry is requested. */
  read(): AsyncGenerator<Buffer>;
};

export type Walk = {
  /** Bytes of the bundle's file read so far. */
  readonly onRead: (bytes: number) => void;
  /** Called with a sentence about each refused or damaged entry. */
  readonly onFlaw: (sentence: string) => void;
};

/** A bundle's files, in the order they lie; can be gone through more than once. */
export type BundleSource = {
  /** Size of the bundle's file; undefined for a folder. */
  readonly bytes: number | undefined;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  /** Throws `BundleError` for what is hostile. What is only damaged ends the walk with a flaw. */
  walk(walk: Walk): AsyncGenerator<BundleEntry>;
};

/** Opens a folder, an archive, or a single file of objects. Throws `BundleError` for anything else. */
export async function openSource(path: string, files: OpenFiles): Promise<BundleSource> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new BundleError(
      `${path} cannot be opened (${errorMessage(error)}): check its name, and who may read it.`,
      {
        cause: error,
      },
    );
  });
  if (facts.isDirectory()) return folderSource(path, facts.mtimeMs, files);
  if (!facts.isFile()) throw new BundleError(`${path} is neither a file nor a folder.`);
  const handle = await files.open(path, 'r').catch((error: unknown) => {
    throw new BundleError(`${path} cannot be read (${errorMessage(error)}): check who may read it.`, {
      cause: error,
    });
  });
  return fileSource({ handle, name: basename(path), bytes: facts.size, changedAt: facts.mtimeMs });
}

export type BundleFile = {
  readonly handle: FileHandle;
  readonly name: string;
  readonly bytes: number;
  readonly changedAt: number;
};

/** Opens a file by its magic bytes; falls back to its name only where they do not decide. */
async function fileSource(file: BundleFile): Promise<BundleSource> {
  const head = Buffer.alloc(512);
  const { bytesRead } = await file.handle.read(head, 0, head.length, 0);
  if (bytesRead === 0) throw new BundleError(`${file.name} is empty.`);
  const starts = (...bytes: number[]): boolean => bytes.every((byte, i) => head[i] === byte);
  if (starts(0x1f, 0x8b)) return tarSource(file, 'gzip');
  // Few bundles are zips: what reads them is loaded for those.
  if (starts(0x50, 0x4b)) return (await import('./zip-source.ts')).zipSource(file);
  if (isTarHead(head)) return tarSource(file, 'plain');
  const packedBy = starts(0xfd, 0x37, 0x7a, 0x58, 0x5a)
    ? 'xz'
    : starts(0x28, 0xb5, 0x2f, 0xfd)
      ? 'zstd'
      : starts(0x42, 0x5a, 0x68)
        ? 'bzip2'
        : undefined;
  if (packedBy !== undefined) {
    throw new BundleError(
      `${file.name} is packed by ${packedBy}, which is not read: unpack it first, and open the .tar or the folder.`,
    );
  }
  const text = textForm(head.toString('utf8', 0, bytesRead));
  if (text !== undefined) return oneFileSource(file, text);
  throw new BundleError(
    `${file.name} is no bundle: it is neither a folder, a .tar.gz, a .tar, a .zip, nor output of kubectl get -o json or -o yaml.`,
  );
}

/** Detects the format of a text of Kubernetes objects from its beginning; undefined for any other file. */
function textForm(head: string): 'json' | 'yaml' | undefined {
  const start = head.replace(/^\ufeff?(?:\s|#[^\n]*\n)*/, '');
  if (/^(?:\{\s*(?:"|\})|\[\s*[[{\]])/.test(start)) return 'json';
  return /^(?:---|(?:- )?(?:apiVersion|kind|metadata|items):)/.test(start) ? 'yaml' : undefined;
}

/** A single file of objects, as a bundle that holds nothing else. */
function oneFileSource({ handle, name, bytes, changedAt }: BundleFile, form: 'json' | 'yaml'): BundleSource {
  const stored = partOf(handle, 0, bytes);
  // An upload has no name of its own that could tell what it is.
  const path = name.endsWith(`.${form}`) ? name : `${name}.${form}`;
  return {
    bytes,
    changedAt,
    async *walk({ onRead }) {
      yield { path, size: bytes, changedAt, link: undefined, stored, read: () => stored.read(0, bytes) };
      onRead(bytes);
    },
  };
}
