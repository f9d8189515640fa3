import { Code, ConnectError } from '@connectrpc/connect';

/** A failure message for the person, and whether retrying can help. */
export type Failure = { readonly title: string; readonly detail: string; readonly canRetry: boolean };

/** Explains a failed call to the person: what happened, to what, and what to do. */
export function failureOf(error: unknown): Failure {
  const { code, rawMessage } = ConnectError.from(error);
  switch (code) {
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return {
        title: 'The studio did not accept who you are',
        detail: 'Your sign-in may have ended. Sign in to the console again, then open the studio from it.',
        canRetry: true,
      };
    case Code.NotFound:
      return {
        title: 'This chat was not found',
        detail: 'It does not exist, or it is not yours. Pick another chat in the list, or start a new one.',
        canRetry: false,
      };
    case Code.Unavailable:
      return { title: 'The studio did not answer', detail: sentence(rawMessage), canRetry: true };
    case Code.Canceled:
      return { title: 'Stopped', detail: 'You stopped the answer.', canRetry: false };
    case Code.FailedPrecondition:
    case Code.ResourceExhausted:
    case Code.InvalidArgument:
      return { title: 'The studio did not take this', detail: sentence(rawMessage), canRetry: false };
    default:
      return { title: 'The studio failed', detail: sentence(rawMessage), canRetry: true };
  }
}

function sentence(message: string): string {
  const trimmed = message.trim();
  if (trimmed === '' || /^HTTP \d+$|failed to fetch|network/i.test(trimmed)) {
    return `It could not be reached${/^HTTP/.test(trimmed) ? ` (${trimmed})` : ''}. Try again in a moment.`;
  }
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
