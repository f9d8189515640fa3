import type { KubeKind } from './world.ts';

/** A refusal or a success as the API tells it (apimachinery, meta/v1 Status). */
export type Status = {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
};

export type StatusCause = { readonly reason: string; readonly message: string; readonly field: string };

type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

/** The error of a refused request; the server writes it as its Status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: Status, headers: Readonly<Record<string, string>> = {}) {
    super(status.message ?? status.reason ?? String(status.code));
    this.status = status;
    this.headers = headers;
  }
}

type Failure = {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly continue?: string;
};

/** A Status of a refusal; fields in the order in which the API writes them. */
export function failureStatus({ code, reason, message, details, continue: next }: Failure): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: next === undefined ? {} : { continue: next },
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

export function failure(
  options: Failure & { readonly headers?: Readonly<Record<string, string>> },
): StatusError {
  return new StatusError(failureStatus(options), options.headers);
}

/** `pods`, or `deployments.apps`, as messages name a kind. */
function resourceName({ group, plural }: Pick<KubeKind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Names a kind in the details of a Status, where the field `kind` holds the plural. */
function detailsOf({ group, plural }: Pick<KubeKind, 'group' | 'plural'>, name?: string) {
  return { ...(name === undefined ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural };
}

export const notFound = (kind: KubeKind, name: string): StatusError =>
  failure({
    code: 404,
    reason: 'NotFound',
    message: `${resourceName(kind)} "${name}" not found`,
    details: detailsOf(kind, name),
  });

export const alreadyExists = (kind: KubeKind, name: string): StatusError =>
  failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${resourceName(kind)} "${name}" already exists`,
    details: detailsOf(kind, name),
  });

export const conflict = (kind: KubeKind, name: string): StatusError =>
  failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${resourceName(kind)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    details: detailsOf(kind, name),
  });

/** Returns the error for an object that breaks rules, one cause a rule. */
export function invalid(kind: KubeKind, name: string, causes: readonly StatusCause[]): StatusError {
  const named = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const text = causes.map(({ field, message }) => `${field}: ${message}`);
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${named} "${name}" is invalid: ${text.length === 1 ? text[0] : `[${text.join(', ')}]`}`,
    details: { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.kind, causes },
  });
}

/** Returns the error for a body of more than `limit` bytes. */
export const tooLarge = (limit: number): StatusError =>
  failure({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limit}`,
  });

export const badRequest = (message: string): StatusError =>
  failure({ code: 400, reason: 'BadRequest', message });

export const methodNotAllowed = (
  message = 'the server does not allow this method on the requested resource',
): StatusError => failure({ code: 405, reason: 'MethodNotAllowed', message, details: {} });

/** Returns the error for a resource that is not served in a group version that is. */
export const noSuchResource = (): StatusError =>
  failure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });

export const unauthorized = (): StatusError =>
  failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

/** A list or a watch from a revision that is no longer kept. */
export const expired = (message: string, next?: string): StatusError =>
  failure({
    code: 410,
    reason: 'Expired',
    message,
    ...(next === undefined ? {} : { continue: next }),
  });
