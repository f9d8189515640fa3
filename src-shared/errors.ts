/**
 * The few named errors of the product. A handler throws meaning; `statusOf` maps the name to
 * its status, for the server and the client alike. The message is one sentence for the person: what happened, to what, and what to do.
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

/** Each name's HTTP status (RTE-006). */
export const statusOf: Readonly<Record<ErrorName, number>> = {
  BadInput: 400,
  NotSignedIn: 401,
  NotAllowed: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  Refused: 422,
  TooManyRequests: 429,
  Unavailable: 503,
};

/** Returns the name of a status; `Unavailable` for an unknown one. */
export function errorNameOf(status: number): ErrorName {
  const found = Object.entries(statusOf).find(([, known]) => known === status)?.[0];
  return isErrorName(found) ? found : 'Unavailable';
}

function isErrorName(value: string | undefined): value is ErrorName {
  return value !== undefined && value in statusOf;
}

/** An expected failure with a message for the person. Any other thrown error is a bug and answers 500. */
export class ConsoleError extends Error {
  override readonly name: ErrorName;
  /** Extra response headers, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    name: ErrorName,
    message: string,
    headers: Record<string, string> = {},
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.name = name;
    this.headers = headers;
  }
}
