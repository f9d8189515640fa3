import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A network in CIDR notation, parsed. */
export type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** Returns a network of CIDR notation; an address alone is a network of one. Throws for any other text. */
export function parseNetwork(text: string): Cidr {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** An address and port that nobody may dial through the console. */
export type ForbiddenEndpoint = { readonly address: string; readonly port: number; readonly label: string };

/** Which addresses a probe may dial. */
export type AddressRules = {
  /** Networks that are not public and may be dialled nevertheless. */
  readonly privateNetworks: readonly Cidr[];
  /** Addresses of the console itself and of the studio. */
  readonly forbidden: readonly ForbiddenEndpoint[];
};

/** Ranges that no setting opens. */
const neverDialled: Readonly<Record<string, string>> = {
  unspecified: 'is the unspecified address',
  loopback: 'is a loopback address',
  linkLocal: 'is a link-local address',
  multicast: 'is a multicast address',
  broadcast: 'is a broadcast address',
  // These carry another address in them, which a router in between may take out again.
  rfc6145: 'translates to an IPv4 address',
  rfc6052: 'translates to an IPv4 address',
  '6to4': 'tunnels to an IPv4 address',
  teredo: 'tunnels to an IPv4 address',
};

/** Metadata services of clouds, beside those in link-local ranges. */
const metadataAddresses = [
  // AWS and Google, IPv6.
  'fd00:ec2::254',
  'fd20:ce::254',
  // Alibaba, Oracle, Azure.
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
].map((address) => ipaddr.process(address).toNormalizedString());

/** IPv6 that is routed in the internet (RFC 4291 section 2.4, IANA). */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Returns why a host as somebody wrote it is not looked up at all, or undefined: a number that a resolver would read as an
 * address (`2130706433`, `0x7f.1`, `0177.0.0.1`), or an IPv6 zone.
 */
export function judgeHost(host: string): string | undefined {
  if (isIP(host) !== 0)
    return host.includes('%') ? `${host} names a network interface of this machine.` : undefined;
  const last = host.replace(/\.$/, '').split('.').at(-1) ?? '';
  // The rule of the URL standard: a host that ends in a number is an IPv4 address, however it is written.
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(last)
    ? `${host} is an address in a form that is not accepted: write it as four decimal numbers.`
    : undefined;
}

/** Returns why an address may not be dialled, the end of a sentence that begins with it; undefined when it may. */
export function judgeAddress(address: string, port: number, rules: AddressRules): string | undefined {
  if (isIP(address) === 0) return 'is not an address';
  const parsed = ipaddr.process(address);
  const text = parsed.toNormalizedString();
  if (metadataAddresses.includes(text)) return 'is the metadata service of a cloud';
  const range = parsed.range();
  const never = neverDialled[range];
  if (never !== undefined) return never;
  // The deprecated IPv4-compatible form (::192.0.2.1) is in no range of its own.
  if (parsed.kind() === 'ipv6' && inside(parsed, ipaddr.parseCIDR('::/96'))) return 'carries an IPv4 address';
  const forbidden = rules.forbidden.find(
    (other) => other.port === port && isIP(other.address) !== 0 && sameAddress(other.address, text),
  );
  if (forbidden !== undefined) return `is ${forbidden.label}`;
  const isPublic = range === 'unicast' && (parsed.kind() === 'ipv4' || inside(parsed, globalUnicast));
  if (isPublic || rules.privateNetworks.some((network) => inside(parsed, network))) return undefined;
  return 'is not a public address, and CONSOLE_CONNECTION_PRIVATE_NETWORKS does not name its network';
}

function sameAddress(one: string, normalized: string): boolean {
  return ipaddr.process(one).toNormalizedString() === normalized;
}

function inside(address: ReturnType<typeof ipaddr.process>, [network, bits]: Cidr): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
