import { setTimeout as after } from 'node:timers/promises';
import { RequestError } from '@octokit/request-error';
import type { Octokit } from '@octokit/rest';
import type { z } from 'zod';
import type { Outgoing } from '../outgoing.ts';
import {
  FreshTokenRefused,
  messageOf,
  NotUnderstood,
  notReadBecause,
  pauseBeforeRetry,
  readSeconds,
  TooSlow,
  waitOf,
} from './failures.ts';
import type { QuotaMeter } from './quota.ts';
import type { Got, NotRead, Read } from './types.ts';

/** One read: what to ask, the shape the answer must have, and what of it is kept. */
export type ApiRequest<D, T> = {
  /** Such as `GET /repos/{owner}/{repo}/issues`. */
  readonly route: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly shape: z.ZodType<D>;
  /** `more`: whether the answer names a next page. */
  readonly keep: (data: D, more: boolean) => T;
  /** Milliseconds for which the answer is not asked for again; `Infinity` for what cannot change. */
  readonly fresh: number;
  /**
   * Requests that this read may be, retries included; 2 by default. A read of one request is also not asked for anew while its failure is
   * fresh: what is counted stays within its number.
   */
  readonly requests?: 1;
  /** A media type other than GitHub's JSON. */
  readonly accept?: string;
};

export type Reads = {
  /** Asks as `octokit`. Never throws. */
  read<D, T>(octokit: Octokit, options: ApiRequest<D, T>): Promise<Read<T>>;
  /** Asks for the quota, which is free, unless it is known. Rejects with `TooSlow` only. */
  learnQuota(octokit: Octokit): Promise<void>;
};

/** Characters of kept answers, as JSON. */
const mostKept = 64 * 1024 * 1024;

/** Failures that are remembered. */
const mostFailures = 1000;

/** Requests that one read may be, unless it says otherwise: a server error is worth one more try. */
const mostRequests = 2;

type Entry = {
  value: unknown;
  readonly etag: string | undefined;
  readAt: number;
  readonly weight: number;
};

type Options = {
  readonly fetch: Fetch;
  readonly meter: QuotaMeter;
  /** Requests an hour that are left to the agent fleet. */
  readonly reserve: () => number;
  /** Epoch ms. */
  readonly now: () => number;
  /** Called when the code host rejects our credentials: they must be renewed. */
  readonly onSignedOut: () => void;
};

/**
 * Conditional reads with memory: a fresh answer is not asked for, an older one is asked for with its ETag (a 304 costs no
 * quota: https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api), callers of one address
 * share one request, and below the reserve nothing is asked: what is kept serves, and says so.
 */
export function createReads({ fetch, meter, reserve, now, onSignedOut }: Options): Reads {
  // In order of use, oldest first.
  const kept = new Map<string, Entry>();
  const underWay = new Map<string, Promise<Read<unknown>>>();
  /** Failures of reads that are one request, by address, with their end in epoch ms; oldest first. */
  const failed = new Map<string, { readonly failure: NotRead; readonly until: number }>();
  let weight = 0;
  let learning: Promise<void> | undefined;

  const keep = (key: string, entry: Entry): void => {
    forget(key);
    kept.set(key, entry);
    weight += entry.weight;
    for (const oldest of kept.keys()) {
      if (weight <= mostKept) break;
      forget(oldest);
    }
  };
  const forget = (key: string): void => {
    weight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };

  const keepFailure = (key: string, failure: NotRead, until: number): void => {
    failed.delete(key);
    failed.set(key, { failure, until });
    for (const oldest of failed.keys()) {
      if (failed.size <= mostFailures) break;
      failed.delete(oldest);
    }
  };

  /** The quota is requested once an hour, at no cost, before the first read that could use some. */
  const learnQuota = async (octokit: Octokit): Promise<void> => {
    if (meter.now() !== undefined) return;
    learning ??= octokit
      .request('GET /rate_limit')
      .then(({ data }) => {
        const { limit, remaining, reset } = data.resources.core;
        meter.set({ limit, remaining, reset: reset * 1000 });
      })
      // A code host without rate limits answers 404; the reads themselves tell what else is wrong.
      .catch(() => undefined)
      .finally(() => {
        learning = undefined;
      });
    await within(learning);
  };

  const request = async <D, T>(octokit: Octokit, key: string, wanted: ApiRequest<D, T>): Promise<Read<T>> => {
    const entry = kept.get(key);
    try {
      await learnQuota(octokit);
      const whyNot = meter.whyNot(reserve());
      if (whyNot !== undefined) return olderOr(entry, { ok: false, kind: 'quota', reason: whyNot });
      const done = meter.begin();
      const counted = countedFetch(fetch, wanted.requests ?? mostRequests);
      const signal = AbortSignal.timeout(readSeconds * 1000);
      const send = () =>
        octokit.request(wanted.route, {
          ...wanted.parameters,
          headers: {
            ...(wanted.accept === undefined ? {} : { accept: wanted.accept }),
            ...(entry?.etag === undefined ? {} : { 'if-none-match': entry.etag }),
          },
          // Retried here and not by the library, which knows no `Retry-After`.
          request: { signal, fetch: counted.fetch, retries: 0 },
        });
      const { data, headers } = await within(retried(send, wanted.requests ?? mostRequests, signal))
        .catch((error: unknown) => {
          // The library asks again and again for 5 s with a token it has just been given, and says nothing meanwhile.
          throw counted.lastStatus() === 401 && !hasAnswer(error) ? new FreshTokenRefused() : error;
        })
        .finally(done);
      meter.learn(headers);
      const value = wanted.keep(understood(wanted, data), /\brel="next"/.test(headers.link ?? ''));
      const readAt = now();
      keep(key, { value, etag: headers.etag, readAt, weight: JSON.stringify(value).length });
      return { ok: true, value, readAt, cached: false };
    } catch (error) {
      if (error instanceof RequestError && error.response !== undefined) {
        const { headers } = error.response;
        meter.learn(headers);
        if (error.status === 304 && entry !== undefined) {
          entry.readAt = now();
          return got(entry, false);
        }
        const wait = waitOf(error.status, messageOf(error), headers);
        if (wait !== undefined) meter.waitFor(wait);
        if (error.status === 401) onSignedOut();
      }
      const failure = notReadBecause(error);
      if (wanted.requests === 1) keepFailure(key, failure, now() + wanted.fresh);
      return shownFor(entry, failure);
    }
  };

  return {
    learnQuota,
    async read<D, T>(octokit: Octokit, wanted: ApiRequest<D, T>): Promise<Read<T>> {
      const key = addressOf(octokit, wanted);
      const entry = kept.get(key);
      if (entry !== undefined && now() - entry.readAt < wanted.fresh) {
        kept.delete(key);
        kept.set(key, entry);
        return got(entry, true);
      }
      const known = failed.get(key);
      if (known !== undefined && now() < known.until) return shownFor(entry, known.failure);
      const shared = underWay.get(key) ?? request(octokit, key, wanted).finally(() => underWay.delete(key));
      underWay.set(key, shared);
      // One address has one shape: whoever asked first kept the same `T`.
      return shared as Promise<Read<T>>;
    },
  };
}

/** `request`, or `TooSlow`: also what the library waits for on its own ends then for the caller. */
export async function within<T>(request: Promise<T>): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      request,
      after(readSeconds * 1000, undefined, { signal: timer.signal, ref: false }).then(() => {
        throw new TooSlow();
      }),
    ]);
  } finally {
    timer.abort();
  }
}

type Fetch = Outgoing['fetch'];

/** A fetch that is sent so many times at most; `lastStatus` is of its last answer. */
function countedFetch(
  fetch: Fetch,
  most: number,
): { readonly fetch: Fetch; lastStatus(): number | undefined } {
  let sent = 0;
  let lastStatus: number | undefined;
  return {
    lastStatus: () => lastStatus,
    async fetch(url, init) {
      if (sent === most) throw new Error('this read has made the requests it may make');
      sent += 1;
      const answer = await fetch(url, init);
      lastStatus = answer.status;
      return answer;
    },
  };
}

/** Sends up to `most` times, with a pause in between where the failure leaves one. */
async function retried<T>(send: () => Promise<T>, most: number, signal: AbortSignal): Promise<T> {
  for (let sent = 1; ; sent += 1) {
    try {
      return await send();
    } catch (error) {
      const pause = sent < most ? pauseBeforeRetry(error) : undefined;
      if (pause === undefined) throw error;
      await after(pause, undefined, { signal, ref: false });
    }
  }
}

function hasAnswer(error: unknown): boolean {
  return error instanceof RequestError && error.response !== undefined;
}

type Address = Pick<ApiRequest<unknown, unknown>, 'route' | 'parameters' | 'accept'>;

function addressOf(octokit: Octokit, { route, parameters, accept = '' }: Address): string {
  return `${accept} ${octokit.request.endpoint(route, { ...parameters }).url}`;
}

function understood<D, T>({ shape, route }: ApiRequest<D, T>, data: unknown): D {
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new NotUnderstood(
    typeof data === 'string' && route.startsWith('GET')
      ? "the code host's answer was cut off or is no JSON"
      : `the code host's answer was not understood${name === '' ? '' : ` at ${name}`}`,
  );
}

function got<T>(entry: Entry, cached: boolean): Got<T> {
  // The entry was kept under the address that `T` belongs to.
  return { ok: true, value: entry.value as T, readAt: entry.readAt, cached };
}

/** Returns the cached answer to show after a failure: none for what the code host denies or no longer has. */
function shownFor<T>(entry: Entry | undefined, failure: NotRead): Read<T> {
  return failure.kind === 'unavailable' || failure.kind === 'quota' ? olderOr(entry, failure) : failure;
}

function olderOr<T>(entry: Entry | undefined, failure: NotRead): Read<T> {
  return entry === undefined ? failure : { ...got<T>(entry, true), stale: failure.reason };
}
