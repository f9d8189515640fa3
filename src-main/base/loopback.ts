/** True for the name or address of a host that only this machine reaches; IPv6 with or without brackets. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/**
 * The address of a service as this machine can dial it: a name under `localhost`, such as `console.localhost`, is loopback
 * (RFC 6761 section 6.3), which browsers know and many resolvers do not. Throws for a text that is no address.
 */
export function dialableAddress(address: string): string {
  const url = new URL(address);
  if (!/\.localhost\.?$/i.test(url.hostname)) return address;
  url.hostname = 'localhost';
  return url.href;
}
