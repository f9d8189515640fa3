import { RequestError } from '@octokit/request-error';
import { z } from 'zod';
import type { NotRead } from './types.ts';

/** Seconds one read may take, its sign-in and its retry included. */
export const readSeconds = 5;

/** The read took longer than `readSeconds`. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The code host's answer has not the shape its documentation gives it. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}

/** The code host kept refusing (401) the installation token that it had just given. */
export class FreshTokenRefused extends Error {
  override readonly name = 'FreshTokenRefused';
}

/** The App cannot be used as it is set; the message is a clause for the person. */
export class NotUsable extends Error {
  override readonly name = 'NotUsable';
}

/** Explains a failed request to the reader of the page. Never quotes the code host's message in full. */
export function notReadBecause(error: unknown): NotRead {
  if (error instanceof NotUsable) return notRead('refused', error.message);
  if (error instanceof NotUnderstood) return notRead('unavailable', error.message);
  if (error instanceof FreshTokenRefused)
    return notRead(
      'unavailable',
      'the code host refuses (401) the installation token that it gave a moment ago: this passes within a minute, or the installation was changed',
    );
  if (error instanceof TooSlow || isAbort(error))
    return notRead('unavailable', `the code host did not answer within ${readSeconds} s`);
  if (!(error instanceof RequestError)) return notRead('unavailable', 'the read of the code host failed');
  if (error.response === undefined) return notRead('unavailable', unreachable(error));
  return refusal(error.status, messageOf(error), error.response.headers);
}

function refusal(status: number, message: string, headers: Headers): NotRead {
  if (/\bsuspended\b/i.test(message)) return notRead('refused', "the App's installation is suspended");
  if (waitOf(status, message, headers) !== undefined)
    return notRead('quota', 'the code host asked this console to wait');
  switch (status) {
    case 401:
      return notRead(
        'refused',
        "the code host does not accept the App's credentials: its key may have been replaced, or its installation removed",
      );
    case 403: {
      const needed = headers['x-accepted-github-permissions'];
      const hint = typeof needed === 'string' ? ` (it needs ${needed.slice(0, 80)})` : '';
      return notRead('refused', `the App's installation may not read this${hint}`);
    }
    case 404:
      return notRead('not-found', 'the code host does not have it, or does not show it to this App');
    case 422:
      // What GitHub answers for a commit it does not know, in place of 404.
      return /^No commit found for/.test(message)
        ? notRead('not-found', 'the code host has no such commit')
        : notRead('unavailable', 'the code host could not make sense of the question (422)');
    case 410:
      return notRead('not-found', 'the code host has it no longer');
    default:
      return notRead('unavailable', `the code host answered ${status}`);
  }
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * Milliseconds for which the code host asks not to be called, undefined when it does not: secondary rate limits, and the
 * primary one (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
export function waitOf(
  status: number,
  message: string,
  headers: Headers,
  now: number = Date.now(),
): number | undefined {
  if (status !== 403 && status !== 429 && status !== 503) return undefined;
  const after = retryAfter(headers, now);
  if (after !== undefined) return Math.min(after, longestWait);
  if (status === 503) return undefined;
  // The quota itself tells until when, from its headers.
  if (headers['x-ratelimit-remaining'] === '0') return 0;
  return status === 429 || /secondary rate limit|abuse detection/i.test(message) ? 60_000 : undefined;
}

/** Longest wait that is believed, in milliseconds. */
const longestWait = 3_600_000;

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined || value === '') return undefined;
  const ms = /^\d+$/.test(`${value}`) ? Number(value) * 1000 : Date.parse(`${value}`) - now;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Pause before a server error is asked for once more, in milliseconds: a person waits for the page. */
const briefPause = 200;
/** Longest wait that a read sits out itself, in milliseconds; for a longer one it ends, and nothing is asked meanwhile. */
const longestPause = 2000;

/** Milliseconds after which a failed request may be tried once more within its read; undefined when it may not. */
export function pauseBeforeRetry(error: unknown): number | undefined {
  if (!(error instanceof RequestError) || isAbort(error)) return undefined;
  if (error.response === undefined) return briefPause;
  const { status, response } = error;
  const asked = waitOf(status, messageOf(error), response.headers);
  if (asked !== undefined)
    return response.headers['retry-after'] !== undefined && asked <= longestPause ? asked : undefined;
  return status >= 500 ? briefPause : undefined;
}

const body = z.object({ message: z.string() });

/** The `message` of an error's body, for what only its words tell apart. */
export function messageOf(error: RequestError): string {
  const parsed = body.safeParse(error.response?.data);
  return parsed.success ? parsed.data.message : '';
}

function unreachable(error: RequestError): string {
  const codes: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
  }
  const code = codes[0];
  return `the code host cannot be reached${code === undefined ? '' : ` (${code})`}`;
}

function isAbort(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.name === 'AbortError' || at.name === 'TimeoutError') return true;
  }
  return false;
}

function notRead(kind: NotRead['kind'], reason: string): NotRead {
  return { ok: false, kind, reason };
}
