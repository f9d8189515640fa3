import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isLoopbackHost } from '../../base/loopback.ts';
import { StartupRefused } from '../serving/index.ts';
import { inPieces, startingWith } from './pieces.ts';
import { type ObjectStorage, StorageUnavailable } from './storage.ts';

export type ObjectStoreOptions = {
  /** `https://…`; `http://` on loopback alone. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
};

/** Part of an upload, in bytes: S3 takes 10,000 of at least 5 MiB. */
const partBytes = 8 * 1024 * 1024;
/** Timeout for opening a connection, in milliseconds. */
const connectMs = 5000;
/**
 * Idle timeout of a connection, in milliseconds: longer than a reader of the backends may pause, during which
 * nothing is read here either.
 */
const silenceMs = 75_000;
/** Downloads that may run at once; more wait for their turn. */
const mostConnections = 256;

/**
 * Keeps objects in a bucket of an S3-compatible store, under their names. Throws `StartupRefused` for an endpoint whose traffic would be
 * cleartext (BCK-068). An upload that dies halfway leaves parts that are no object; a lifecycle rule
 * of the bucket clears them away.
 */
export function bucketStorage(options: ObjectStoreOptions): ObjectStorage {
  const endpoint = URL.canParse(options.endpoint) ? new URL(options.endpoint) : undefined;
  if (
    endpoint === undefined ||
    !(endpoint.protocol === 'https:' || (endpoint.protocol === 'http:' && isLoopbackHost(endpoint.hostname)))
  ) {
    throw new StartupRefused(
      'cleartext object-store traffic is refused: OBJECTSTORE_ENDPOINT must be an address that begins with https://.',
    );
  }
  const { bucket: Bucket } = options;
  const name = `the bucket ${Bucket} at ${endpoint.host}`;
  const client = new S3Client({
    endpoint: endpoint.href,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // Buckets as parts of the host name would need a certificate for each.
    forcePathStyle: true,
    // The seal tells what a checksum would, and not every compatible store takes them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      httpAgent: { keepAlive: true, maxSockets: mostConnections },
      httpsAgent: { keepAlive: true, maxSockets: mostConnections },
    },
  });

  /**
   * Only failures of the store itself are reported as such: errors from a source of bytes pass through
   * unchanged.
   */
  const request = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw new StorageUnavailable(
        `${name[0]?.toUpperCase()}${name.slice(1)} does not serve (${reasonOf(error)}): check that it runs, OBJECTSTORE_BUCKET and the credentials.`,
        { cause: error },
      );
    }
  };

  const upload = async (Key: string, first: Buffer, rest: AsyncIterator<Buffer>): Promise<void> => {
    const { UploadId } = await request(client.send(new CreateMultipartUploadCommand({ Bucket, Key })));
    try {
      const parts: { ETag: string | undefined; PartNumber: number }[] = [];
      for (let Body: Buffer | undefined = first; Body !== undefined; Body = await nextOf(rest)) {
        const PartNumber = parts.length + 1;
        const { ETag } = await request(
          client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body })),
        );
        parts.push({ ETag, PartNumber });
      }
      await request(
        client.send(
          new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: parts } }),
        ),
      );
    } catch (error) {
      // The failure that led here is the one to tell; parts left behind are no object.
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
      throw error;
    }
  };

  /** The answer for a range, of that version alone; undefined when there is no such object. */
  const download = async (Key: string, range: string, IfMatch?: string) => {
    try {
      const command = new GetObjectCommand({
        Bucket,
        Key,
        Range: range,
        ...(IfMatch === undefined ? {} : { IfMatch }),
      });
      return await client.send(command);
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      return request(Promise.reject(error));
    }
  };

  return {
    name,
    async check() {
      await request(client.send(new HeadBucketCommand({ Bucket })));
    },
    async write(object, pieces) {
      const parts = inPieces(pieces, partBytes);
      try {
        const first = (await nextOf(parts)) ?? Buffer.alloc(0);
        const second = first.length < partBytes ? undefined : await nextOf(parts);
        if (second === undefined)
          await request(client.send(new PutObjectCommand({ Bucket, Key: object, Body: first })));
        else await upload(object, first, startingWith(second, parts));
      } finally {
        await parts.return();
      }
    },
    async open(object, headBytes) {
      const answer = await download(object, `bytes=0-${headBytes - 1}`);
      if (answer === undefined) return undefined;
      const head = await startOf(answer.Body, headBytes, request);
      const { ETag } = answer;
      return {
        size: Number(/\/(\d{1,15})$/.exec(answer.ContentRange ?? '')?.[1] ?? answer.ContentLength ?? 0),
        head,
        async *read(start, end, pieceBytes) {
          const range = await download(object, `bytes=${start}-${end - 1}`, ETag);
          let left = end - start;
          for await (const piece of inPieces(bodyOf(range?.Body, request), pieceBytes)) {
            left -= piece.length;
            yield piece;
          }
          if (left !== 0) throw new StorageUnavailable(`An object in ${name} changed while it was read.`);
        },
        close: async () => undefined,
      };
    },
    async list(prefix) {
      const names: string[] = [];
      let token: string | undefined;
      do {
        const page = await request(
          client.send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: prefix,
              ...(token === undefined ? {} : { ContinuationToken: token }),
            }),
          ),
        );
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) names.push(Key);
        token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
      return names.sort();
    },
    async remove(object) {
      await request(client.send(new DeleteObjectCommand({ Bucket, Key: object })));
    },
  };
}

async function nextOf(pieces: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await pieces.next();
  return done === true ? undefined : value;
}

/** The SDK types a body for every platform it runs on; in Node it is a stream of Node. */
async function* bodyOf(
  body: unknown,
  request: <T>(answer: Promise<T>) => Promise<T>,
): AsyncGenerator<Buffer, void, undefined> {
  if (!(body instanceof Readable)) return;
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  try {
    for (
      let chunk = await request(nextOf(chunks));
      chunk !== undefined;
      chunk = await request(nextOf(chunks))
    )
      yield chunk;
  } finally {
    body.destroy();
  }
}

/** The first `bytes` of a body: a store that does not know ranges answers all of an object. */
async function startOf(
  body: unknown,
  bytes: number,
  request: <T>(answer: Promise<T>) => Promise<T>,
): Promise<Buffer> {
  for await (const piece of inPieces(bodyOf(body, request), bytes)) return piece;
  return Buffer.alloc(0);
}

/** Returns the reason for a failure in a word: never the address or a header, which may hold credentials. */
function reasonOf(error: unknown): string {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode;
    return status === undefined ? error.name : `${error.name}, status ${status}`;
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'no answer';
}
