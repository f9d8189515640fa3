import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerWith, httpServer, requestUrl } from '../../base/http-server.ts';
import { close, listen, urlOf } from '../listening.ts';

/** An image that was pushed. */
export type SandboxImage = {
  /** Without host, such as `northgate/campaign`. */
  readonly name: string;
  readonly tags: readonly string[];
};

export type SandboxRegistry = {
  /** `127.0.0.1:PORT`, as image names begin. */
  readonly host: string;
  /** Requests received, in order: method and path with query. */
  readonly requests: readonly string[];
  close(): Promise<void>;
};

type Options = {
  /** Read with every request. */
  readonly images: () => readonly SandboxImage[];
  /** `USER:PASSWORD` without which nothing is shown; anybody may read by default. */
  readonly credentials?: string;
};

const indexType = 'application/vnd.oci.image.index.v1+json';
const mostRemembered = 10_000;

/**
 * The part of the OCI distribution API that tells what a tag stands for
 * (https://github.com/opencontainers/distribution-spec), with its token service, on loopback.
 */
export async function startSandboxRegistry(options: Options): Promise<SandboxRegistry> {
  const requests: string[] = [];
  const tokens = new Map<string, string>();
  const server = httpServer();
  await listen(server);
  const url = urlOf(server);
  const host = new URL(url).host;

  const mayRead = ({ headers }: IncomingMessage, scope: string): boolean => {
    const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && tokens.get(token) === scope;
  };

  const giveToken = (request: IncomingMessage, response: ServerResponse, address: URL): void => {
    const { authorization = '' } = request.headers;
    const [, basic] = /^Basic (\S+)$/i.exec(authorization) ?? [];
    const given = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString('utf8');
    if (options.credentials !== undefined && given !== options.credentials) {
      refuse(response, 401, 'UNAUTHORIZED', 'authentication required');
      return;
    }
    const token = randomBytes(24).toString('base64url');
    tokens.set(token, address.searchParams.get('scope') ?? '');
    const oldest = tokens.keys().next();
    if (tokens.size > mostRemembered && !oldest.done) tokens.delete(oldest.value);
    answerJson(response, 200, { token, expires_in: 300, issued_at: new Date().toISOString() });
  };

  const challenge = (response: ServerResponse, scope: string): void => {
    const requested = scope === '' ? '' : `,scope="${scope}"`;
    response.setHeader('www-authenticate', `Bearer realm="${url}/token",service="${host}"${requested}`);
    refuse(response, 401, 'UNAUTHORIZED', 'authentication required');
  };

  const manifest = (request: IncomingMessage, response: ServerResponse, name: string, ref: string): void => {
    const scope = `repository:${name}:pull`;
    if (!mayRead(request, scope)) {
      challenge(response, scope);
      return;
    }
    const images = options.images().filter((image) => image.name === name);
    const found = images.find(({ tags }) => tags.includes(ref) || digestOf(manifestOf(name, tags)) === ref);
    if (found === undefined) {
      const known = images.length > 0;
      refuse(
        response,
        404,
        known ? 'MANIFEST_UNKNOWN' : 'NAME_UNKNOWN',
        known ? 'manifest unknown' : 'repository name not known to registry',
      );
      return;
    }
    const body = manifestOf(name, found.tags);
    response.writeHead(200, {
      'content-type': indexType,
      'content-length': Buffer.byteLength(body),
      'docker-content-digest': digestOf(body),
      etag: `"${digestOf(body)}"`,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`);
    if (requests.length > mostRemembered) requests.shift();
    response.setHeader('docker-distribution-api-version', 'registry/2.0');
    const address = requestUrl(request);
    if (address === undefined) {
      refuse(response, 400, 'UNSUPPORTED', 'the address cannot be read');
      return;
    }
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const [, name, reference] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(address.pathname) ?? [];
    if (!reads) refuse(response, 405, 'UNSUPPORTED', 'the sandbox is read only');
    else if (address.pathname === '/token') giveToken(request, response, address);
    else if (address.pathname === '/v2/') {
      if (mayRead(request, '')) answerJson(response, 200, {});
      else challenge(response, '');
    } else if (name !== undefined && reference !== undefined) manifest(request, response, name, reference);
    else refuse(response, 404, 'UNSUPPORTED', 'not found');
  };
  answerWith(server, { request: answer });
  return { host, requests, close: () => close(server) };
}

/** An image index of two platforms, always the same for the same image. */
function manifestOf(name: string, tags: readonly string[]): string {
  const of = (architecture: string) => ({
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    digest: digestOf(`${name} ${tags[0]} ${architecture}`),
    size: 1842,
    platform: { architecture, os: 'linux' },
  });
  return JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [of('amd64'), of('arm64')] });
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  answerJson(response, status, { errors: [{ code, message, detail: null }] });
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  // A body that HEAD must not have is left out by the server itself.
  response.end(text);
}
