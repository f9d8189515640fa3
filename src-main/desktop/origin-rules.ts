/**
 * Rules for what the window may reach, decided by the parsed address only: a prefix check on raw text takes
 * `http://127.0.0.1:4000@evil.example/` for our own.
 */

/** True when a frame of the window may load `address`. `origin` is the console's own, such as `http://127.0.0.1:41123`. */
export function mayNavigate(address: string, origin: string, frame: 'main' | 'sub'): boolean {
  const url = parse(address);
  if (url === undefined) return false;
  // Documents a page writes itself have the origin of that page.
  if (frame === 'sub' && (address === 'about:blank' || address === 'about:srcdoc')) return true;
  return url.protocol === 'http:' && url.origin === origin && url.username === '' && url.password === '';
}

/**
 * True when content of the window may send a request to `address`. Cookies do not know ports: a request to another
 * port of the console's host would carry the session to whatever program listens there. Plain http elsewhere is
 * refused as well, so that a page in the studio frame cannot probe the machine's or the network's services.
 */
export function mayRequest(address: string, origin: string): boolean {
  const url = parse(address);
  if (url === undefined) return false;
  const own = new URL(origin);
  if ((url.protocol === 'http:' || url.protocol === 'ws:') && url.host === own.host) return true;
  return (url.protocol === 'https:' || url.protocol === 'wss:') && !isLoopback(url.hostname);
}

/** True when a link that opens a new window is handed to the system's browser. */
export function opensInBrowser(address: string): boolean {
  const url = parse(address);
  // 2083 characters: what Windows takes; a longer address has no business on a command line anywhere else either.
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.href.length <= 2083;
}

/** The origin the window opens for a console listening on `url`: an unspecified address is reached over loopback. */
export function windowOrigin(url: string): string {
  const { hostname, port } = new URL(url);
  if (hostname === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (hostname === '[::]') return `http://[::1]:${port}`;
  return new URL(url).origin;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname) ||
    hostname === '[::1]' ||
    hostname === '0.0.0.0' ||
    hostname === '[::]' ||
    hostname.startsWith('[::ffff:7f')
  );
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
