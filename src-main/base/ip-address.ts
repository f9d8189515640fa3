/** Returns an IPv4 address as such where a socket of both families names it as IPv6 (`::ffff:192.0.2.1`, RFC 4291 2.5.5.2). */
export function unmappedAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
