import { Code, ConnectError } from '@connectrpc/connect';
import { CallFailed } from './api.ts';

/** The sentence of any failure a call may throw, over JSON or gRPC-web. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConnectError) return error.rawMessage;
  return error instanceof Error ? error.message : String(error);
}

/** True when the console says there is no signed-in person. */
export function isSignedOut(error: unknown): boolean {
  if (error instanceof ConnectError) return error.code === Code.Unauthenticated;
  return error instanceof CallFailed && error.name === 'NotSignedIn';
}

/** True when nothing answered at all: the console stopped, or the way to it is cut. */
export function isSilence(error: unknown): boolean {
  const failure = error instanceof ConnectError ? error.cause : error;
  return failure instanceof CallFailed && failure.status === undefined;
}
