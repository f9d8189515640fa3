import type { IncomingMessage } from 'node:http';
import { ConsoleError } from '#shared/errors.ts';
import { foreignUse, isForeignSignOut, isFromElsewhere, isMisplacedWorker } from './fetch-metadata.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export type OriginGuardOptions = {
  /** Host values that are this console, lower case, with port; `*` accepts any. */
  readonly hosts: ReadonlySet<string>;
  /** Hosts of these that are reached over https (through a proxy that ends TLS). */
  readonly secureHosts: ReadonlySet<string>;
  /** Origin of the identity provider now: its form post to /auth/callback is the one foreign post we accept. */
  readonly identityProviderOrigin: () => string | undefined;
};

/** Refuses what a page of another origin, or a rebound name, could send. Throws `BadInput` or `NotAllowed`. */
export type OriginGuard = (request: IncomingMessage) => void;

/**
 * The local origin is hostile ground: every program and every web page on this machine can reach a loopback port.
 * - `Host` must be one of our own names, port included. An equal Origin and Host prove nothing under DNS rebinding,
 *   and a rebound GET carries no Origin at all.
 * - An `Origin`, when there is one, must be ours on every unsafe method, upgrade and gRPC-web call.
 * - A browser that says in `Sec-Fetch-Site` that a page of another origin fetches is believed, Origin or not, and on
 *   reads, too: the page could not read the answer, but a read may still do something (a long poll that claims), and
 *   `SameSite=Lax` cookies go along to every port of a host. Only a link that is followed passes, and not into a frame.
 * - Nothing but the studio's own addresses starts a service worker, and signing out takes our own page.
 */
export function createOriginGuard(options: OriginGuardOptions): OriginGuard {
  const any = options.hosts.has('*');

  const isOurs = (origin: string, host: string): boolean => {
    if (any) return origin === `http://${host}` || origin === `https://${host}`;
    const match = /^(https?):\/\/([^/]+)$/.exec(origin);
    if (match === null) return false;
    const [, scheme, name = ''] = match;
    return options.hosts.has(name) && (scheme === 'https') === options.secureHosts.has(name);
  };

  return (request) => {
    // An absolute target names a host of its own, which wins over Host (RFC 9112 section 3.2.2): no client of ours
    // sends one, and a router that drops its authority would serve what was never checked.
    if (request.url?.startsWith('/') !== true) {
      throw new ConsoleError('BadInput', 'The request must name its address as a path on this console.');
    }
    const host = onlyHost(request.rawHeaders).toLowerCase();
    if (!any && !options.hosts.has(host)) {
      throw new ConsoleError(
        'NotAllowed',
        'The Host of this request is not this console: open the address it printed, or name the host in CONSOLE_ALLOWED_HOSTS.',
      );
    }
    const { headers } = request;
    const use = foreignUse(headers);
    if (use !== undefined) throw foreignOrigin(use);
    if (isMisplacedWorker(request)) {
      throw new ConsoleError(
        'NotAllowed',
        'A worker cannot be started from this address: one over the pages of the console would outlive what registered it.',
      );
    }
    if (isForeignSignOut(request, (origin) => isOurs(origin, host))) {
      throw new ConsoleError(
        'NotAllowed',
        'A link from elsewhere does not sign you out: use Sign out in the console.',
      );
    }
    if (safeMethods.has(request.method ?? '') && headers.upgrade === undefined && !isRpc(request)) return;
    const { origin } = headers;
    if (origin === undefined) {
      if (!isFromElsewhere(headers)) return;
    } else if (isOurs(origin, host)) return;
    if (isProviderPost(request, options.identityProviderOrigin())) return;
    throw foreignOrigin();
  };
}

function foreignOrigin(use: 'call' | 'frame' = 'call'): ConsoleError {
  return new ConsoleError(
    'NotAllowed',
    `This request comes from a page of another origin, which may not ${use} the console.`,
  );
}

/** True for gRPC-web by content type (CON-007). */
export function isRpc(request: IncomingMessage): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith('application/grpc-web') === true;
}

function isProviderPost(request: IncomingMessage, providerOrigin: string | undefined): boolean {
  // The double-submit token of /auth/callback stands where the Origin check stands elsewhere.
  return (
    providerOrigin !== undefined &&
    request.method === 'POST' &&
    request.headers.origin === providerOrigin &&
    request.url?.split('?', 1)[0] === '/auth/callback'
  );
}

/** Node keeps the first of several Host lines; which one the next hop would keep is anyone's guess: refused. */
function onlyHost(rawHeaders: readonly string[]): string {
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) throw new ConsoleError('BadInput', 'The request has more than one Host header.');
    host = rawHeaders[i + 1] ?? '';
  }
  if (host === undefined || host === '')
    throw new ConsoleError('BadInput', 'The request has no Host header.');
  return host;
}

/**
 * Returns the host names this console answers to: loopback names with its port, its listening address, and
 * configured ones.
 */
export function ownHosts(options: {
  readonly listen: { readonly host: string; readonly port: number };
  readonly publicUrl: URL | undefined;
  readonly allowed: readonly string[];
}): { hosts: Set<string>; secureHosts: Set<string> } {
  const { host, port } = options.listen;
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const names = ['127.0.0.1', 'localhost', 'console.localhost', '[::1]', bracketed.toLowerCase()];
  const hosts = new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
  const secureHosts = new Set<string>();
  for (const name of options.allowed) hosts.add(name.toLowerCase());
  if (options.publicUrl !== undefined) {
    hosts.add(options.publicUrl.host.toLowerCase());
    if (options.publicUrl.protocol === 'https:') secureHosts.add(options.publicUrl.host.toLowerCase());
  }
  return { hosts, secureHosts };
}
