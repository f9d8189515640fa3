import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { unmappedAddress } from '../../base/ip-address.ts';

/** The way a request reached this console, as its client sees it. */
export type Forwarding = {
  /** The client's address, then those of the trusted proxies between it and this console. */
  readonly for: string;
  readonly proto: string;
  readonly host: string | undefined;
  readonly port: string;
};

export type ForwardingOptions = {
  /** Origin people open (`CONSOLE_PUBLIC_URL`). */
  readonly publicUrl?: URL | undefined;
  /** Addresses and networks of proxies that are believed (`CONSOLE_TRUSTED_PROXIES`). */
  readonly trustedProxies?: readonly string[] | undefined;
};

/**
 * Returns a function that reads how a request reached this console: the public scheme, host and port behind a proxy that
 * ends TLS, and the real client where the proxy is trusted. `X-Forwarded-*` of anybody else is not believed.
 */
export function createForwarding({
  publicUrl,
  trustedProxies = [],
}: ForwardingOptions): (req: IncomingMessage) => Forwarding {
  const trusted = networks(trustedProxies);
  const isTrusted = (address: string): boolean => trusted?.check(address, familyOf(address)) === true;

  const addresses = (req: IncomingMessage, peer: string): string[] => {
    const hops = [peer];
    const named = listOf(req.headers['x-forwarded-for']);
    // From the last hop on, as far as each was named by a trusted one.
    for (let hop = peer; isTrusted(hop) && named.length > 0; ) {
      hop = unmappedAddress(named.pop() ?? '');
      if (isIP(hop) === 0) break;
      hops.unshift(hop);
    }
    return hops;
  };

  return (req) => {
    const { socket } = req;
    const peer = unmappedAddress(socket.remoteAddress ?? '');
    const sent = req.headers.host;
    const throughProxy = isTrusted(peer);
    const from = isIP(peer) === 0 ? 'unknown' : addresses(req, peer).join(', ');
    if (publicUrl !== undefined && (throughProxy || sent?.toLowerCase() === publicUrl.host)) {
      const proto = publicUrl.protocol.slice(0, -1);
      return { for: from, proto, host: publicUrl.host, port: publicUrl.port || defaultPort(proto) };
    }
    const encrypted = 'encrypted' in socket ? 'https' : 'http';
    if (!throughProxy)
      return { for: from, proto: encrypted, host: sent, port: String(socket.localPort ?? '') };
    const scheme = listOf(req.headers['x-forwarded-proto']).at(-1)?.toLowerCase();
    const proto = scheme === 'https' || scheme === 'http' ? scheme : encrypted;
    const port = listOf(req.headers['x-forwarded-port']).at(-1);
    const ofHost = /:(\d{1,5})$/.exec(sent ?? '')?.[1];
    return {
      for: from,
      proto,
      host: sent,
      port: port !== undefined && /^\d{1,5}$/.test(port) ? port : (ofHost ?? defaultPort(proto)),
    };
  };
}

function networks(items: readonly string[]): BlockList | undefined {
  if (items.length === 0) return undefined;
  const list = new BlockList();
  for (const item of items) {
    const [address = '', prefix] = item.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const defaultPort = (proto: string): string => (proto === 'https' ? '443' : '80');

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
