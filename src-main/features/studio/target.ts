/** Path prefix the studio is mounted at (CON-044). */
export const STUDIO_PREFIX = '/studio';

/**
 * Returns whether a raw request target belongs to the studio proxy: `/studio`, `/studio?...` and `/studio/...`. Nothing
 * is decoded: `/studio%2f`, `/Studio` and an absolute-form target are other routes' business.
 */
export function isStudioPath(rawUrl: string): boolean {
  if (!rawUrl.startsWith(STUDIO_PREFIX)) return false;
  if (rawUrl.length === STUDIO_PREFIX.length) return true;
  const next = rawUrl.charCodeAt(STUDIO_PREFIX.length);
  return next === 0x2f /* / */ || next === 0x3f /* ? */;
}

/** The handling of a request target: forward `path` to the upstream, redirect, or refuse with 400. */
export type Target =
  | { readonly kind: 'forward'; readonly path: string }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'refuse'; readonly reason: string };

// Only such a path can climb: a literal or encoded dot, or an encoding of the percent sign that hides one.
const MAY_CLIMB = /\.\.|%2e|%25/i;
const SEPARATOR = /[/\\]/;

/**
 * Returns whether some server could read the path as leaving its root: `%2e`, `%2f` and `%5c` count as what they encode
 * (also doubly encoded), `;parameters` of a segment are ignored (Tomcat), empty segments count for nothing (nginx
 * merges slashes). A path that merely contains such things and stays inside is forwarded as it came.
 */
function climbsOut(path: string): boolean {
  let decoded = path;
  for (let round = 0; round < 3; round++) {
    const next = decoded.replace(/%(25|2e|2f|5c|3b)/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === decoded) break;
    decoded = next;
  }
  let depth = 0;
  for (const segment of decoded.split(SEPARATOR)) {
    const semicolon = segment.indexOf(';');
    const name = semicolon < 0 ? segment : segment.slice(0, semicolon);
    if (name === '..') {
      depth--;
      if (depth < 0) return true;
    } else if (name !== '' && name !== '.') depth++;
  }
  return false;
}

/**
 * Decides on a raw request target. The rest after `/studio` is forwarded byte for byte behind `basePath` (the
 * upstream's own path without a trailing slash); what could leave the prefix is refused, never rewritten
 * (RFC 3986 5.2.4 and 4.2 for `//`).
 */
export function studioTarget(rawUrl: string, basePath: string): Target {
  if (!isStudioPath(rawUrl)) return { kind: 'refuse', reason: 'The request target is not a /studio path.' };
  const question = rawUrl.indexOf('?');
  const end = question < 0 ? rawUrl.length : question;
  if (end === STUDIO_PREFIX.length)
    return { kind: 'redirect', location: `${STUDIO_PREFIX}/${rawUrl.slice(end)}` };
  const path = rawUrl.slice(STUDIO_PREFIX.length, end);
  // A target that begins with two slashes is a network-path reference: a studio that resolves it against its own
  // address would read the first segment as a host.
  if (path.charCodeAt(1) === 0x2f)
    return { kind: 'refuse', reason: 'The path begins with an empty segment.' };
  if (path.includes('\\') || rawUrl.includes('#'))
    return { kind: 'refuse', reason: 'The request target holds a character that a URL cannot hold.' };
  if (MAY_CLIMB.test(path) && climbsOut(path))
    return { kind: 'refuse', reason: 'The path leads out of /studio/.' };
  return { kind: 'forward', path: basePath + rawUrl.slice(STUDIO_PREFIX.length) };
}
