import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConsoleError, statusOf } from '#shared/errors.ts';
import { requestIdHeader, requestIdOf } from '../base/request-id.ts';
import { storeTrouble } from '../store/index.ts';

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
  /** True for a bug of ours or a failing store, which belongs in the log with its stack. */
  readonly unexpected: boolean;
};

/** Returns the answer for an error to the caller of request `id`. A bug never shows its message or stack. */
export function answerTo(error: unknown, id: string): ErrorAnswer {
  if (error instanceof ConsoleError) {
    return {
      status: statusOf[error.name],
      headers: error.headers,
      message: error.message,
      unexpected: false,
    };
  }
  // The store's: full, held, away. Told as it is, and logged: somebody has to see to it.
  const trouble = storeTrouble(error);
  if (trouble !== undefined) return { status: 503, headers: {}, message: trouble, unexpected: true };
  // Fastify's own: body too large, bad JSON, unsupported media type, malformed address.
  if (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode < 500
  ) {
    return {
      status: error.statusCode,
      headers: {},
      message: messages[error.statusCode] ?? 'The request is not valid.',
      unexpected: false,
    };
  }
  return {
    status: 500,
    headers: {},
    message: `The console failed on this request. Its log has the reason under ${id}.`,
    unexpected: true,
  };
}

const messages: Readonly<Record<number, string>> = {
  400: 'The request cannot be read: check that its body is valid JSON and its address well formed.',
  413: 'The request body is too large for this route.',
  415: 'The media type of the body is not one this route reads: send JSON.',
};

/** Answers an error where Fastify is not reached: the guard, and upgrades. */
export function writeError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const id = requestIdOf(request);
  const { status, headers, message } = answerTo(error, id);
  const body = JSON.stringify({ error: message, request_id: id });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // The body of a refused request is not read, so the connection cannot be used again.
    connection: 'close',
    [requestIdHeader]: id,
    ...headers,
  });
  response.end(body);
}

/** Answers the errors of a server's routes; those nobody foresaw are logged with their stack. */
export function answerErrors(fastify: FastifyInstance, log: Logger): void {
  fastify.setErrorHandler((error, request, reply) => {
    const id = requestIdOf(request.raw);
    const answer = answerTo(error, id);
    const path = request.url.split('?', 1)[0];
    // A stream whose reader has left is no fault.
    if (answer.unexpected && !reply.raw.destroyed)
      log.error({ err: error, request_id: id, method: request.method, path }, 'request failed');
    return reply
      .code(answer.status)
      .headers({ 'cache-control': 'no-store', [requestIdHeader]: id, ...answer.headers })
      .send({ error: answer.message, request_id: id });
  });
}
