import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from '../../src-main/kube-api/index.ts';

/** Buckets over the wire protocol of S3, on loopback, in memory: objects, ranges, multipart uploads, lists in pages of two. */
export type S3Server = {
  readonly url: string;
  /** PEM of who signed its certificate; empty without TLS. */
  readonly ca: string;
  /** Content of the buckets, by `bucket/key`, for tests to inspect and to tamper with. */
  readonly objects: Map<string, Buffer>;
  /** Uploads that were begun and neither completed nor aborted. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  /** `METHOD path` of every request. */
  readonly requests: string[];
  /** Answers this status to the requests it is true for. */
  fail: (line: string) => number | undefined;
  close(): Promise<void>;
};

export const s3Credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };

/** Starts the server; every request must carry a right signature (AWS Signature Version 4). Over TLS it is reached as `localhost`. */
export async function startS3Server(
  options: { readonly buckets?: readonly string[]; readonly tls?: boolean } = {},
): Promise<S3Server> {
  const { buckets = ['media'], tls = false } = options;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const certificate = tls ? loopbackCertificate(Date.now()) : undefined;
  const server =
    certificate === undefined
      ? createServer(onRequest)
      : createTlsServer({ cert: certificate.cert, key: certificate.key }, onRequest);
  const state: S3Server = {
    url: '',
    ca: certificate?.ca ?? '',
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    fail: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const line = `${request.method} ${request.url}`;
    state.requests.push(line);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const failure = state.fail(line);
    if (failure !== undefined) xml(response, failure, '<Error><Code>InternalError</Code></Error>');
    else if (isSigned(request, body)) serve(state, buckets, request, response, body);
    else xml(response, 403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}` });
}

function serve(
  state: S3Server,
  buckets: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): ServerResponse {
  const url = new URL(request.url ?? '/', 'http://s3');
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const name = decodeURIComponent(rest.join('/'));
  const upload = url.searchParams.get('uploadId') ?? '';
  if (!buckets.includes(bucket)) return xml(response, 404, '<Error><Code>NoSuchBucket</Code></Error>');
  if (name === '') {
    if (request.method === 'HEAD') return response.writeHead(200).end();
    return list(state, bucket, response, url.searchParams);
  }
  const key = `${bucket}/${name}`;
  switch (
    `${request.method}${url.searchParams.has('uploads') ? ' uploads' : ''}${upload === '' ? '' : ' upload'}`
  ) {
    case 'GET':
      return get(state, request, response, key);
    case 'PUT':
      state.objects.set(key, body);
      return response.writeHead(200, { etag: etagOf(body) }).end();
    case 'DELETE':
      state.objects.delete(key);
      return response.writeHead(204).end();
    case 'POST uploads': {
      const id = randomUUID();
      state.uploads.set(id, new Map());
      return xml(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    case 'PUT upload':
      state.uploads.get(upload)?.set(Number(url.searchParams.get('partNumber')), body);
      return response.writeHead(200, { etag: etagOf(body) }).end();
    case 'DELETE upload':
      state.uploads.delete(upload);
      return response.writeHead(204).end();
    case 'POST upload': {
      const parts = [...(state.uploads.get(upload) ?? [])].sort(([a], [b]) => a - b);
      const bytes = Buffer.concat(parts.map(([, part]) => part));
      state.objects.set(key, bytes);
      state.uploads.delete(upload);
      return xml(
        response,
        200,
        `<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>`,
      );
    }
    default:
      return xml(response, 405, '<Error><Code>MethodNotAllowed</Code></Error>');
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function get(
  state: S3Server,
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
): ServerResponse {
  const bytes = state.objects.get(key);
  if (bytes === undefined) return xml(response, 404, '<Error><Code>NoSuchKey</Code></Error>');
  const etag = etagOf(bytes);
  const match = request.headers['if-match'];
  if (match !== undefined && match !== etag)
    return xml(response, 412, '<Error><Code>PreconditionFailed</Code></Error>');
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return response.writeHead(200, { etag }).end(bytes);
  const start = Number(first);
  if (start >= bytes.length) return xml(response, 416, '<Error><Code>InvalidRange</Code></Error>');
  const part = bytes.subarray(start, Number(last) + 1);
  return response
    .writeHead(206, {
      etag,
      'content-length': part.length,
      'content-range': `bytes ${start}-${start + part.length - 1}/${bytes.length}`,
    })
    .end(part);
}

function list(
  state: S3Server,
  bucket: string,
  response: ServerResponse,
  query: URLSearchParams,
): ServerResponse {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...state.objects.keys()]
    .filter((key) => key.startsWith(`${bucket}/${prefix}`))
    .map((key) => key.slice(bucket.length + 1))
    .filter((key) => key > after)
    .sort();
  const page = keys.slice(0, 2);
  const more = keys.length > page.length;
  return xml(
    response,
    200,
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${
      more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    }${page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`,
  );
}

function xml(response: ServerResponse, status: number, text: string): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  const [accessKeyId, day = '', region = '', service = ''] = credential.split('/');
  const digest = String(request.headers['x-amz-content-sha256']);
  if (accessKeyId !== s3Credentials.accessKeyId) return false;
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body)) return false;
  const url = new URL(request.url ?? '/', 'http://s3');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query, headers.join(''), names, digest].join('\n');
  const scope = [day, region, service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (last, part) => hmac(last, part),
    Buffer.from(`AWS4${s3Credentials.secretAccessKey}`),
  );
  const expected = hmac(key, text);
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
