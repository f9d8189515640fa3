import { sessionCookie } from '#shared/session-cookie.ts';

/**
 * A `Cookie` value without the console's session; the other cookies keep their bytes and their order. `undefined`
 * when nothing is left. Every copy goes, whatever blanks surround its name (RFC 6265 5.4 sends `; `, but parsers are
 * forgiving), and a quoted value goes up to its closing quote, so that no half of a session stays behind.
 */
export function withoutSession(cookie: string): string | undefined {
  if (!cookie.includes(sessionCookie)) return cookie;
  const kept: string[] = [];
  let removed = false;
  let at = 0;
  while (at <= cookie.length) {
    let end = cookie.indexOf(';', at);
    if (end < 0) end = cookie.length;
    const equals = cookie.indexOf('=', at);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    if (unquoted(cookie.slice(at, nameEnd)) === sessionCookie) {
      removed = true;
      if (nameEnd < end) end = quotedEnd(cookie, nameEnd + 1, end);
    } else kept.push(cookie.slice(at, end));
    at = end + 1;
  }
  if (!removed) return cookie;
  const rest = kept.join(';').trim();
  return rest === '' || /^[;\s]*$/.test(rest) ? undefined : rest;
}

/** Cookies of the console's own: its session, and the token of the identity provider's form. */
const ownCookies = [sessionCookie, 'g_csrf_token'];

/**
 * Returns whether a `Set-Cookie` value sets a cookie of the console: the studio must not replace or end its session.
 */
export function setsOwnCookie(setCookie: string): boolean {
  return ownCookies.some((name) => setCookie.includes(name) && setsCookie(setCookie, name));
}

function setsCookie(setCookie: string, wanted: string): boolean {
  const equals = setCookie.indexOf('=');
  const semicolon = setCookie.indexOf(';');
  const end = equals >= 0 ? equals : semicolon >= 0 ? semicolon : setCookie.length;
  const name = unquoted(setCookie.slice(0, end));
  // A cookie without a name is stored as its value and sent as it is (RFC 6265bis 5.7): `=console_session=x` would
  // come back to us as our own.
  return (
    name === wanted ||
    (name === '' &&
      setCookie
        .slice(end + 1)
        .trimStart()
        .startsWith(wanted))
  );
}

function unquoted(name: string): string {
  const trimmed = name.trim();
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
    ? trimmed.slice(1, -1)
    : trimmed;
}

/** End of a quoted value that holds a semicolon, or `end` when the value is not quoted or never closes. */
function quotedEnd(cookie: string, from: number, end: number): number {
  let start = from;
  while (cookie[start] === ' ' || cookie[start] === '\t') start++;
  if (cookie[start] !== '"') return end;
  const close = cookie.indexOf('"', start + 1);
  if (close < end) return end;
  const next = cookie.indexOf(';', close);
  return next < 0 ? cookie.length : next;
}
