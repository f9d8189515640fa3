/** Longest media type a piece may have, in characters. */
const longestType = 100;
const mediaType = /^(?:image|video|audio|text)\/[a-z0-9][a-z0-9.+-]*$/;

/** True for a kind of content that is kept: pictures, films, sound, text and PDF, without parameters. */
export function isKeptType(type: string): boolean {
  return type.length <= longestType && (mediaType.test(type) || type === 'application/pdf');
}

/** True for a name in an address (campaign.v1.Content). */
export function isContentName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name);
}

/** Media types a browser shows inline; it must save anything else, HTML pages above all. */
const shownInline = /^(?:image|video|audio)\/|^text\/plain$/;

/**
 * Headers that let a browser show a piece of content, which whoever made it chose, and never run it as a page of this origin
 * (BCK-023).
 */
export function contentHeaders(type: string, name: string): Record<string, string> {
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    // A name needs no escaping here: it has neither quotes nor control characters.
    'content-disposition': `${shownInline.test(type) ? 'inline' : 'attachment'}; filename="${name}"`,
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
