import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificate } from '../../src-main/kube-api/index.ts';

/** As much of S3 as a client of sealed objects asks: path-style buckets over TLS, whole objects in memory. */
export type ObjectStore = {
  /** `https://…`. */
  readonly url: string;
  /** PEM of who signed its certificate. */
  readonly ca: string;
  /** By bucket and key, `bucket/key`; may be changed. */
  readonly objects: Map<string, Buffer>;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  close(): Promise<void>;
};

/** Starts one with the buckets named; whoever brings another access key id is refused. */
export async function startObjectStore(buckets: readonly string[]): Promise<ObjectStore> {
  const { ca, cert, key } = loopbackCertificate(Date.now());
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret-of-this-test-only' };
  const objects = new Map<string, Buffer>();
  const server = createServer({ cert, key }, (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'https://store.invalid');
    const [, bucket = '', name = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const { authorization = '' } = request.headers;
    if (!authorization.includes(`Credential=${credentials.accessKeyId}/`))
      return fail(response, 403, 'InvalidAccessKeyId');
    if (!buckets.includes(bucket)) return fail(response, 404, 'NoSuchBucket');
    if (name === '') {
      if (request.method === 'HEAD') response.writeHead(200).end();
      else list(response, bucket, url.searchParams.get('prefix') ?? '');
      return;
    }
    const key = `${bucket}/${name}`;
    if (request.method === 'PUT') {
      objects.set(key, Buffer.concat(chunks));
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else get(response, objects.get(key), request.headers.range);
  };
  const list = (response: ServerResponse, bucket: string, prefix: string): void => {
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(`${bucket}/${prefix}`))
      .map((key) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key></Contents>`);
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${keys.join('')}</ListBucketResult>`,
      );
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca,
    objects,
    credentials,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function get(response: ServerResponse, object: Buffer | undefined, range: string | undefined): void {
  if (object === undefined) {
    fail(response, 404, 'NoSuchKey');
    return;
  }
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const end = Math.min(to === '' ? object.length : Number(to) + 1, object.length);
  const part = object.subarray(Number(from), end);
  response
    .writeHead(206, {
      'content-length': part.length,
      'content-range': `bytes ${from}-${end - 1}/${object.length}`,
      etag: '"1"',
    })
    .end(part);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
