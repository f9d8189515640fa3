/**
 * The few named errors of the product. A handler throws meaning; one place (`src-main/console/errors.ts`) maps the
 * name to a status. The message is one sentence for the person: what happened, to what, and what to do.
 */
export type ErrorName =
  | 'BadInput'
  | 'NotSignedIn'
  | 'NotAllowed'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'Conflict'
  | 'TooLarge'
  | 'UnsupportedMediaType'
  | 'Refused'
  | 'TooManyRequests'
  | 'Unavailable';

/** An expected failure with words for the person. Anything else that is thrown is a bug and answers 500. */
export class ConsoleError extends Error {
  override readonly name: ErrorName;
  /** Extra response headers, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(name: ErrorName, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = name;
    this.headers = headers;
  }
}
