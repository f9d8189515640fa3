import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { requestUrl } from '../../base/http-server.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import { BodyTooLarge, readBody } from '../../base/read-body.ts';
import { type Answer, json, problem } from './answer.ts';
import { requestId } from './app-operations.ts';
import type { AppRegistration } from './app-registration.ts';
import type { AppTokens } from './app-tokens.ts';
import { answerControl } from './control.ts';
import type { Faults, MetFault } from './faults.ts';
import { type Caller, operate } from './operate.ts';
import type { Quotas } from './quotas.ts';
import type { SandboxRepository, SandboxRun, World } from './world.ts';

/** Bytes of a body, as the code host takes them. */
const largestBody = 1024 * 1024;

export type SandboxRequest = {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly path: string;
  /** 0 when it was never answered. */
  readonly status: number;
  /** 1 when it cost quota of an installation. */
  readonly cost: 0 | 1;
};

export type Parts = {
  readonly url: string;
  readonly world: () => World;
  /** Epoch ms. */
  readonly now: () => number;
  readonly latencyMs: number;
  readonly tokens: AppTokens;
  readonly registration: AppRegistration;
  readonly quotas: Quotas;
  readonly faults: Faults;
  readonly archive: (repo: SandboxRepository, run: SandboxRun) => string;
  /** Takes what was asked; the oldest go. */
  readonly requests: SandboxRequest[];
};

/** Requests that are remembered: a sandbox may run for weeks. */
const mostRemembered = 20_000;

const limits = 'rest/overview/rate-limits-for-the-rest-api';

export function requestHandler(parts: Parts): (request: IncomingMessage, response: ServerResponse) => void {
  const { requests } = parts;
  let count = 0;
  return (request, response) => {
    count += 1;
    const id = requestId(count);
    const path = request.url ?? '/';
    if (path.startsWith('/_sandbox/')) {
      answerControl(parts, request, response);
      return;
    }
    const note = (status: number, cost: 0 | 1): void => {
      requests.push({ method: request.method ?? 'GET', path, status, cost });
      if (requests.length > mostRemembered) requests.shift();
    };
    answer(parts, request, response, id, note).catch((error: unknown) => {
      // A fault of the double itself; whoever tests with it must not take it for a fault on demand.
      response.destroy(error instanceof Error ? error : undefined);
    });
  };
}

async function answer(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  note: (status: number, cost: 0 | 1) => void,
): Promise<void> {
  const path = request.url ?? '/';
  const met = parts.faults.meet(path);
  const has = (kind: string): boolean => met.some((fault) => fault.kind === kind);
  const slow = met.reduce((ms, fault) => (fault.kind === 'slow' ? ms + fault.ms : ms), parts.latencyMs);
  if (slow > 0) await after(slow, undefined, { ref: false });
  if (has('hang')) {
    note(0, 0);
    return;
  }
  const body =
    request.method === 'POST'
      ? await readBody(request, largestBody).catch((error: unknown) =>
          error instanceof BodyTooLarge ? error : undefined,
        )
      : undefined;
  if (body instanceof BodyTooLarge) {
    response.writeHead(413, { 'content-length': '0' }).end();
    note(413, 0);
    return;
  }
  const address = requestUrl(request);
  if (address === undefined) {
    response.writeHead(400, { 'content-length': '0' }).end();
    note(400, 0);
    return;
  }
  const registered = parts.registration.answer(request.method ?? 'GET', address, String(body ?? ''));
  if (registered !== undefined) {
    const nobody: Caller = { pays: false, installation: undefined, resource: 'core' };
    const shown = refusal(parts, met, nobody, id) ?? registered;
    send(response, parts, { id, caller: nobody, answer: shown });
    note(shown.status, 0);
    return;
  }
  const { caller, act } = operate(parts, {
    method: request.method ?? 'GET',
    path: address.pathname,
    query: address.searchParams,
    accept: request.headers.accept ?? '',
    authorization: request.headers.authorization,
    body: body === undefined ? undefined : parsedJson(body.toString('utf8')),
    revoked: has('revoked'),
    suspended: has('suspended'),
  });
  const spent = has('rate-limited');
  const refused = refusal(parts, met, caller, id);
  if (refused !== undefined) {
    send(response, parts, { id, caller, answer: refused, spent });
    note(refused.status, 0);
    return;
  }
  const done = act();
  const text = written(done);
  const etag =
    request.method === 'GET' && done.status === 200
      ? etagOf(text, request.headers.authorization ?? '')
      : undefined;
  const unchanged = etag !== undefined && matches(request.headers['if-none-match'], etag);
  const cost = caller.pays && !unchanged ? 1 : 0;
  if (caller.pays && cost === 1) parts.quotas.take(caller.installation);
  const shown = unchanged ? { ...done, status: 304 } : done;
  send(response, parts, {
    id,
    caller,
    answer: shown,
    etag,
    spent,
    cut: has('truncated') ? 'whole' : has('short-body') ? 'broken' : undefined,
  });
  note(shown.status, cost);
}

/** The answer of a fault, or of a quota that is used up; undefined when the request may go on. */
function refusal(parts: Parts, met: readonly MetFault[], caller: Caller, id: string): Answer | undefined {
  const quote = `If you reach out to GitHub Support for help, please include the request ID ${id}`;
  for (const fault of met) {
    if (fault.kind === 'error') return failure(fault.status);
    if (fault.kind === 'secondary') {
      const message = `You have exceeded a secondary rate limit. Please wait a few minutes before you try again. ${quote}.`;
      return {
        ...problem(fault.status, message, `${limits}#about-secondary-rate-limits`),
        headers: { 'retry-after': String(fault.retryAfter) },
      };
    }
  }
  if (!caller.pays) return undefined;
  const spent = met.some(({ kind }) => kind === 'rate-limited');
  if (!spent && parts.quotas.read(caller.installation).remaining > 0) return undefined;
  const moment = new Date(parts.now()).toISOString().replace('T', ' ').slice(0, 19);
  const message = `API rate limit exceeded for installation ID ${caller.installation}. ${quote} and timestamp ${moment} UTC.`;
  return problem(403, message, limits);
}

function failure(status: 401 | 500 | 502 | 503): Answer {
  if (status === 401) return problem(401, 'Bad credentials');
  if (status !== 503) return json({ message: 'Server Error' }, status);
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: '<!DOCTYPE html><html><body><p>No server is currently available to service your request.</p></body></html>',
  };
}

function written({ body, type }: Answer): string {
  return type === undefined ? JSON.stringify(body) : String(body);
}

/**
 * Returns the ETag of an answer for one token. The code host's ETags differ between tokens
 * (https://github.com/github/docs/issues/34689), so a new token makes every cached one worthless.
 */
function etagOf(text: string, authorization: string): string {
  return `W/"${createHash('sha256').update(authorization).update('\n').update(text).digest('hex')}"`;
}

function matches(header: string | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag));
}

type Sent = {
  readonly id: string;
  readonly caller: Caller;
  readonly answer: Answer;
  readonly etag?: string | undefined;
  /** Tells a quota of nothing. */
  readonly spent?: boolean;
  /** `whole`: less than there is, with a length that fits; `broken`: less than the declared length. */
  readonly cut?: 'whole' | 'broken' | undefined;
};

function send(
  response: ServerResponse,
  parts: Parts,
  { id, caller, answer: given, etag, spent, cut }: Sent,
): void {
  const bytes = Buffer.from(given.status === 304 ? '' : written(given));
  const half = bytes.subarray(0, bytes.length >> 1);
  response.writeHead(given.status, {
    date: new Date(parts.now()).toUTCString(),
    server: 'github.com',
    'x-github-request-id': id,
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': '2022-11-28',
    ...(given.status === 304
      ? {}
      : {
          'content-type': given.type ?? 'application/json; charset=utf-8',
          'content-length': cut === 'whole' ? half.length : bytes.length,
        }),
    ...(etag === undefined
      ? {}
      : { etag, 'cache-control': 'private, max-age=60, s-maxage=60', vary: 'Accept, Authorization' }),
    ...quotaHeaders(parts, caller, spent === true),
    ...given.headers,
  });
  if (cut === undefined) response.end(bytes);
  else if (cut === 'whole') response.end(half);
  else response.write(half, () => response.destroy());
}

function quotaHeaders(parts: Parts, caller: Caller, spent: boolean): Record<string, string> {
  if (caller.installation === undefined) return {};
  const { limit, used, remaining, reset } = parts.quotas.read(caller.installation);
  // GraphQL has a quota of its own, which nothing here uses up.
  const core = caller.resource === 'core';
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(spent ? 0 : core ? remaining : limit),
    'x-ratelimit-used': String(spent ? limit : core ? used : 0),
    'x-ratelimit-reset': String(reset),
    'x-ratelimit-resource': caller.resource,
  };
}
