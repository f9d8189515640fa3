import { createHash, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerWith, httpServer, requestUrl } from '../../base/http-server.ts';
import { close, listen, urlOf } from '../listening.ts';

/** A cluster of the fleet. */
export type SandboxMembership = {
  readonly id: string;
  readonly location: string;
  readonly state: string;
  readonly version: string;
  readonly nodes: number;
};

export type SandboxCloudProvider = {
  /** Origin of the fleet API. */
  readonly url: string;
  /** Address where assertions are exchanged for tokens. */
  readonly tokenUrl: string;
  readonly project: string;
  /** Key of the one service account it knows, as the provider hands it out. */
  readonly serviceAccountKey: string;
  /** Requests received, in order: method and path with query. */
  readonly requests: readonly string[];
  close(): Promise<void>;
};

const usual: readonly SandboxMembership[] = [
  { id: 'northgate-eu-1', location: 'global', state: 'READY', version: 'v1.33.4-gke.1036000', nodes: 12 },
  { id: 'northgate-edge-3', location: 'europe-west4', state: 'CREATING', version: 'v1.32.9', nodes: 3 },
];

const project = 'northgate-sandbox';
const mostRemembered = 1000;
const tokenSeconds = 3600;
const pageLength = 100;

/**
 * The part of Google Cloud that tells the members of a fleet, on loopback: OAuth 2.0 for service accounts
 * (https://developers.google.com/identity/protocols/oauth2/service-account) and `memberships.list` of the GKE Hub API
 * (https://cloud.google.com/kubernetes-engine/fleet-management/docs/reference/rest).
 */
export async function startSandboxCloudProvider(
  memberships: () => readonly SandboxMembership[] = () => usual,
): Promise<SandboxCloudProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const email = `console@${project}.iam.gserviceaccount.com`;
  const tokens = new Set<string>();
  const requests: string[] = [];
  const server = httpServer();
  await listen(server);
  const url = urlOf(server);
  const tokenUrl = `${url}/token`;

  /** Returns whether an assertion is signed by the account's key, for this address and now. */
  const isAssertion = (assertion: string): boolean => {
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    const signed = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    );
    if (!signed) return false;
    const said: { iss?: unknown; aud?: unknown; exp?: unknown } = JSON.parse(
      Buffer.from(claims, 'base64url').toString('utf8'),
    );
    return said.iss === email && said.aud === tokenUrl && Number(said.exp) * 1000 > Date.now();
  };

  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece));
    const form = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
    const known = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    if (!known || !isAssertion(form.get('assertion') ?? '')) {
      answer(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
      return;
    }
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    tokens.add(token);
    if (tokens.size > mostRemembered) tokens.delete(tokens.values().next().value ?? '');
    answer(response, 200, { access_token: token, expires_in: tokenSeconds, token_type: 'Bearer' });
  };

  const list = (request: IncomingMessage, response: ServerResponse, address: URL): void => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    const named = /^\/v1\/projects\/([^/]+)\/locations\/-\/memberships$/.exec(address.pathname)?.[1];
    if (token === undefined || !tokens.has(token)) refuse(response, 401, 'UNAUTHENTICATED');
    else if (named !== project) refuse(response, 403, 'PERMISSION_DENIED');
    else {
      const from = Number(address.searchParams.get('pageToken') ?? 0);
      const size = Math.min(Number(address.searchParams.get('pageSize') ?? pageLength), pageLength);
      const all = memberships();
      answer(response, 200, {
        resources: all.slice(from, from + size).map(shown),
        ...(from + size < all.length ? { nextPageToken: String(from + size) } : {}),
      });
    }
  };

  answerWith(server, {
    async request(request, response) {
      requests.push(`${request.method} ${request.url}`);
      if (requests.length > mostRemembered) requests.shift();
      const address = requestUrl(request);
      if (request.method === 'POST' && address?.pathname === '/token') await exchange(request, response);
      else if (request.method === 'GET' && address !== undefined) list(request, response, address);
      else refuse(response, 404, 'NOT_FOUND');
    },
  });

  return {
    url,
    tokenUrl,
    project,
    serviceAccountKey: JSON.stringify({
      type: 'service_account',
      project_id: project,
      private_key_id: createHash('sha256').update(email).digest('hex').slice(0, 40),
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: email,
      token_uri: tokenUrl,
    }),
    requests,
    close: () => close(server),
  };
}

function shown({ id, location, state, version, nodes }: SandboxMembership) {
  return {
    name: `projects/${project}/locations/${location}/memberships/${id}`,
    labels: { environment: 'sandbox' },
    state: { code: state },
    endpoint: {
      gkeCluster: {
        resourceLink: `//container.googleapis.com/projects/${project}/locations/${location}/clusters/${id}`,
      },
      kubernetesMetadata: {
        kubernetesApiServerVersion: version,
        nodeCount: nodes,
        vcpuCount: nodes * 4,
        memoryMb: nodes * 16_384,
      },
    },
    createTime: '2026-03-02T09:30:00.123456789Z',
    lastConnectionTime: new Date().toISOString(),
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  answer(response, status, { error: { code: status, message: `The caller may not do this.`, status: code } });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
  response.end(JSON.stringify(body));
}
