import { CallFailed } from './call-route.ts';

/** The sentence of any failure a call may throw. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True when the console says there is no signed-in person. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallFailed && error.name === 'NotSignedIn';
}

/** True when nothing answered at all: the console stopped, or the way to it is cut. */
export function isSilence(error: unknown): boolean {
  return error instanceof CallFailed && error.status === undefined;
}
