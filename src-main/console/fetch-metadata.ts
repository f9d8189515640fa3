import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Destinations of a page inside another page (Fetch Metadata Request Headers, section 2.1). */
const framed = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe']);
/** Destinations of the script of a worker that pages share or that outlives them. */
const workers = new Set(['worker', 'sharedworker', 'audioworklet', 'paintworklet']);

/** `same-site` is another origin, too: another port of this host (Fetch Metadata Request Headers, section 2.3). */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/**
 * Returns what a page of another origin does that it may not: `frame` for a page of ours inside its own, `call` for a
 * fetch or an embedded resource. Undefined when it follows a link or sends a form.
 */
export function foreignUse(headers: IncomingHttpHeaders): 'call' | 'frame' | undefined {
  if (!isFromElsewhere(headers)) return undefined;
  if (framed.has(String(headers['sec-fetch-dest']))) return 'frame';
  return headers['sec-fetch-mode'] === 'navigate' ? undefined : 'call';
}

/**
 * Returns whether the script of a worker is requested where none is. A service worker controls pages below its own
 * address, so only the studio's addresses give one; other workers are the web app's own, which are files of its bundle.
 * Browsers set both headers themselves, and no page can leave them out.
 */
export function isMisplacedWorker({ headers, url = '' }: IncomingMessage): boolean {
  if (url.startsWith('/studio/')) return false;
  const destination = String(headers['sec-fetch-dest']);
  if (headers['service-worker'] !== undefined || destination === 'serviceworker') return true;
  return workers.has(destination) && !url.startsWith('/assets/');
}

/**
 * Returns whether a page from elsewhere, or a link in a message, signs a person out. A browser without Fetch Metadata
 * (an old one, or any over plain HTTP) is known by what it accepts, and must say in `Referer` that it comes from here.
 */
export function isForeignSignOut(
  { headers, url }: IncomingMessage,
  isOurs: (origin: string) => boolean,
): boolean {
  if (url?.split('?', 1)[0] !== '/auth/logout') return false;
  if (headers['sec-fetch-site'] !== undefined) return isFromElsewhere(headers);
  if (headers.origin !== undefined || headers.accept?.includes('text/html') !== true) return false;
  const { referer = '' } = headers;
  return !URL.canParse(referer) || !isOurs(new URL(referer).origin);
}
