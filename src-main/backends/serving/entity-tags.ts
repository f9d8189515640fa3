/** Returns whether `If-None-Match` names the entity tag (RFC 9110, 13.1.2: compared weakly). */
export function matchesTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
