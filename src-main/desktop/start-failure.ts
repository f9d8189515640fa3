/** Returns why the program cannot start and what to do, as a message for the person at the desk. */
export function startFailureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE')
    return `${addressOf(error)} is in use by another program. Close that program, or give another address in CONSOLE_LISTEN.`;
  return error.message;
}

function addressOf(error: Error): string {
  const { address, port } = error as Error & { address?: string; port?: number };
  return address === undefined || port === undefined
    ? 'The address to listen on'
    : `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
