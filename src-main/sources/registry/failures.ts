/** The reason a registry was not read; the message is a clause for the person, without a full stop. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
}

/** The clause for whatever ended a read. Never holds what the registry or an address said. */
export function reasonOf(error: unknown, host: string, seconds: number): string {
  if (error instanceof NotRead) return error.message;
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'TimeoutError' || at.name === 'AbortError')
      return `the registry ${host} did not answer within ${seconds} s`;
    if ('code' in at && typeof at.code === 'string' && /^[A-Z_]{3,40}$/.test(at.code))
      return `the registry ${host} cannot be reached (${at.code})`;
  }
  return `the registry ${host} cannot be reached`;
}
