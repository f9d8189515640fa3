/** A step that failed, with the sentence that says why. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: nothing listens there, or a firewall refuses it',
  ECONNRESET: 'reset the connection',
  EPIPE: 'closed the connection',
  ECONNABORTED: 'ended the connection',
  EHOSTUNREACH: 'is unreachable: no route to the host',
  ENETUNREACH: 'is unreachable: no route to its network',
  EADDRNOTAVAIL: 'is unreachable from this machine',
  ETIMEDOUT: 'timed out',
  EACCES: 'may not be dialled from this machine',
};

const names: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not resolve: no such host',
  ENODATA: 'does not resolve: no address',
  EAI_AGAIN: 'does not resolve: DNS did not answer',
};

/** Returns the code of a system error; empty for any other. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Returns what a socket's error says of `subject`, a sentence. */
export function socketFault(subject: string, error: unknown, during = ''): string {
  const code = errorCode(error);
  return `${subject} ${reasons[code] ?? `failed (${code === '' ? 'no reason given' : code})`}${during}.`;
}

/** Returns what a resolver's error says of a name, a sentence. */
export function nameFault(host: string, error: unknown): string {
  const code = errorCode(error);
  return `${host} ${names[code] ?? `does not resolve (${code === '' ? 'no reason given' : code})`}.`;
}

/** Returns text that a server sent, for a sentence: one line, without control characters, 200 characters at most. */
export function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal or a page
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
