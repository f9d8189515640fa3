/**
 * A registry's authentication challenge (RFC 9110, section 11.6.1; distribution spec, token authentication).
 */
export type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'bearer';
      readonly realm: string;
      readonly service: string | undefined;
    };

/** The first challenge of a `WWW-Authenticate` header that can be answered; undefined when there is none. */
export function readChallenge(header: string): Challenge | undefined {
  // Schemes begin after the start or a comma and are followed by a name and an equals sign, or by the end.
  const bearer = /(?:^|,)\s*bearer\s+(.*)$/is.exec(header)?.[1];
  if (bearer !== undefined) {
    const values = new Map<string, string>();
    const part = /([a-z][a-z0-9_-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;
    for (const [, name = '', quoted, plain] of bearer.matchAll(part)) {
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
      // Of a scheme that follows, nothing is taken: its realm would come second.
      if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
    }
    const realm = values.get('realm');
    if (realm !== undefined) return { scheme: 'bearer', realm, service: values.get('service') };
  }
  return /(?:^|,)\s*basic(?:\s|$)/i.test(header) ? { scheme: 'basic' } : undefined;
}
