import { isIPv6 } from 'node:net';

/** Returns an IPv4 address as such where a socket of both families names it as IPv6 (`::ffff:192.0.2.1`, RFC 4291 2.5.5.2). */
export function unmappedAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Returns the /64 of an IPv6 address, which one customer has to themselves; an IPv4 address as it is. */
export function networkOf(address: string): string {
  const plain = unmappedAddress(address).split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - behind.length)).fill('0');
  return [...groups, ...zeros, ...behind]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
