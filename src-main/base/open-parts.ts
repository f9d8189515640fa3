import { errorMessage } from './error-message.ts';

/** The part of a logger that hears of what could not be closed. */
export type CloseLog = { error(fields: object, message: string): void };

/**
 * Returns what `open` resolves to. When it rejects, closes what it put on the stack so far, last opened first, and throws
 * its error; what does not close is logged, because the reason of the start is what the caller needs.
 */
export async function openParts<T>(
  log: CloseLog,
  open: (opened: AsyncDisposableStack) => Promise<T>,
): Promise<T> {
  const opened = new AsyncDisposableStack();
  try {
    return await open(opened);
  } catch (error) {
    await closeParts(opened, log).catch(() => undefined);
    throw error;
  }
}

/**
 * Closes what is on the stack, last opened first, every part although another's close fails. Logs each failure, then
 * throws one error that names them all.
 */
async function closeParts(opened: AsyncDisposableStack, log: CloseLog): Promise<void> {
  try {
    await opened.disposeAsync();
  } catch (error) {
    const errors = errorsOf(error);
    for (const err of errors) log.error({ err }, 'a part did not close');
    throw gathered(errors);
  }
}

/** Returns a `close` that closes the stack once, however often it is called. */
export function closeOnce(opened: AsyncDisposableStack, log: CloseLog): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= closeParts(opened, log);
    return closing;
  };
}

/** Closes parts at the same time and waits for all of them; throws one error that names those that failed. */
export async function closeTogether(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  const ended = await Promise.allSettled(parts.map(async (part) => part.close()));
  const errors = ended.flatMap((part): unknown[] => (part.status === 'rejected' ? [part.reason] : []));
  if (errors.length > 0) throw gathered(errors);
}

function gathered(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  const messages = errors.map(errorMessage);
  return new AggregateError(errors, `${errors.length} parts did not close: ${messages.join('; ')}`);
}

/** Each error of a disposal, in the order they happened. */
function errorsOf(error: unknown): unknown[] {
  if (error instanceof SuppressedError) return [...errorsOf(error.suppressed), ...errorsOf(error.error)];
  return error instanceof AggregateError ? error.errors.flatMap(errorsOf) : [error];
}
