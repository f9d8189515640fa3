/** Matches characters that Node's writeHead refuses in a reason phrase (RFC 9112 section 4). */
const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/**
 * Returns a reason phrase that can be written: other characters become question marks. undici decodes the phrase as
 * UTF-8, so that a studio which says `café` in latin1 has a character in it that HTTP cannot carry.
 */
export function writableReason(reason: string): string {
  return reason.replace(UNWRITABLE, '?');
}

/** Returns the flat header list without `Trailer`, which only a chunked answer can keep (RFC 9110 section 6.6.2). */
export function withoutTrailerField(headers: string[]): string[] {
  for (let i = 0; i < headers.length; i += 2) {
    if (isTrailerField(headers[i])) {
      return headers.filter((_, at) => !isTrailerField(headers[at - (at % 2)]));
    }
  }
  return headers;
}

function isTrailerField(name: string | undefined): boolean {
  return name?.length === 7 && name.toLowerCase() === 'trailer';
}
