import { errors } from 'undici';
import { z } from 'zod';

export type FailureKind =
  /** No answer, or none that makes sense. */
  | 'unreachable'
  /** The credentials are not accepted, or there are none. */
  | 'sign_in'
  /** The context cannot be used as it is. */
  | 'broken'
  | 'forbidden'
  | 'missing'
  /** The server does not have that kind. */
  | 'not_served'
  /** 410: a revision or a continue token the server has forgotten. */
  | 'expired'
  | 'conflict'
  | 'throttled'
  /** An answer of 500 and above: it is there, and cannot do that now. */
  | 'failing'
  /** Any other answer that is an error. */
  | 'refused';

/**
 * The reason a request failed; the message is a sentence for the person, without secrets and without raw
 * bodies.
 */
export class ClusterFailure extends Error {
  override readonly name = 'ClusterFailure';
  readonly kind: FailureKind;
  /** Milliseconds the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfter?: number, options: ErrorOptions = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

const unknownAuthority = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];

/**
 * Explains a failed connection; `host` with its port. Codes: errno(3), Node's TLS errors, undici's errors.
 */
export function networkFailure(error: unknown, host: string): ClusterFailure {
  if (error instanceof ClusterFailure) return error;
  const codes = codesOf(error);
  const has = (...some: readonly string[]): boolean => codes.some((code) => some.includes(code));
  const unreachable = (message: string) =>
    new ClusterFailure('unreachable', message, undefined, { cause: error });
  if (
    codes.some((code) => /^ERR_SSL_.*ALERT_(?:BAD_)?CERTIFICATE|^ERR_SSL_.*CERTIFICATE_REQUIRED/.test(code))
  )
    return new ClusterFailure(
      'sign_in',
      `${host} does not accept the client certificate: renew it, then retry.`,
    );
  if (has('CERT_HAS_EXPIRED'))
    return unreachable(`The certificate of ${host} has expired: whoever runs the cluster must renew it.`);
  if (has('CERT_NOT_YET_VALID'))
    return unreachable(`The certificate of ${host} is not valid yet: check the clock of this machine.`);
  if (has(...unknownAuthority))
    return unreachable(
      `The certificate of ${host} is signed by an authority this machine does not know: add it to the kubeconfig (certificate-authority) or to the system's certificates.`,
    );
  if (has('ERR_TLS_CERT_ALTNAME_INVALID'))
    return unreachable(
      `The certificate of ${host} is for another name: set tls-server-name in the kubeconfig.`,
    );
  if (has('ENOTFOUND', 'EAI_AGAIN'))
    return unreachable(`The name of ${host} cannot be resolved: check the network or the VPN.`);
  if (has('ECONNREFUSED'))
    return unreachable(`${host} refuses connections: the API server does not run, or listens elsewhere.`);
  if (has('EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'))
    return unreachable(`There is no way to ${host} from here: check the network or the VPN.`);
  if (has('ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'))
    return unreachable(`${host} did not answer in time: check the network or the VPN.`);
  if (has('ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_DESTROYED', 'UND_ERR_ABORTED'))
    return unreachable(`${host} broke off the connection.`);
  if (codes.some((code) => code.startsWith('HPE_') || code.startsWith('ERR_SSL_')))
    return unreachable(
      `${host} does not speak the protocol of its address: check http or https and the port.`,
    );
  const code = codes[0];
  return unreachable(`${host} cannot be reached${code === undefined ? '' : ` (${code})`}.`);
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
    if (at instanceof AggregateError) codes.push(...at.errors.flatMap(codesOf));
    if (at instanceof errors.HTTPParserError) codes.push('HPE_');
    if (at.name === 'TimeoutError') codes.push('ETIMEDOUT');
  }
  return codes;
}

const statusBody = z.object({
  kind: z.literal('Status'),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
});

/** The message of a Status (meta/v1), at most 300 characters; undefined for any other body, which is never shown. */
export function statusMessage(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const message = statusBody.safeParse(value).data?.message;
  return message === undefined ? undefined : oneLine(message, 300);
}

/** Explains an error response. `act` is the action requested, such as `list pods in tenant-willow`. */
export function answerFailure(
  { status, body, retryAfter }: { status: number; body: string; retryAfter?: string | undefined },
  act: string,
  host: string,
): ClusterFailure {
  const message = statusMessage(body);
  const because = message === undefined ? `(${status})` : `(${status}: ${message})`;
  switch (status) {
    case 403:
      return new ClusterFailure('forbidden', `Forbidden: ${act}.`);
    case 404:
    case 405:
      return new ClusterFailure('missing', `${host} does not have what was asked for: ${act}.`);
    case 409:
      return new ClusterFailure(
        'conflict',
        `Someone changed it in the meantime: ${act}. Read it again first.`,
      );
    case 410:
      return new ClusterFailure('expired', `${host} has forgotten the revision that was asked for: ${act}.`);
    case 429:
      return new ClusterFailure(
        'throttled',
        `${host} asks to wait before more is asked of it: ${act}.`,
        retryAfterOf(retryAfter) ?? 1_000,
      );
    default:
      return new ClusterFailure(
        status >= 500 ? 'failing' : 'refused',
        `${host} could not ${act} ${because}.`,
        retryAfterOf(retryAfter),
      );
  }
}

/** Milliseconds of a Retry-After in seconds (RFC 9110, 10.2.3), at most a minute. */
export function retryAfterOf(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header === undefined || !Number.isFinite(seconds)
    ? undefined
    : Math.min(Math.max(seconds, 0), 60) * 1000;
}

/** Text of another program as part of a sentence: one line, bounded. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** As minutes, for sentences: `2026-11-21 14:05 UTC`. */
export function shownMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
