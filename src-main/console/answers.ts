import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { routeTable } from '#shared/api/index.ts';
import type { Route, StreamAnswer } from '#shared/api/route.ts';
import { prometheusText } from '../features/cluster/index.ts';

/** The one JSON route that has a second form (RTE-021). */
const metrics = routeTable.find((route) => route.id === 'cluster.metrics');

/** Whether the caller names the Prometheus text format, as a scraper does beside other forms. */
function wantsExposition(accept: string | undefined): boolean {
  return (
    accept?.split(',').some((range) => /^\s*text\/plain\s*;(.*;)?\s*version=0\.0\.4\s*(;|$)/.test(range)) ===
    true
  );
}

/** Writes what a handler answered, in the form its route declares. */
export function sendAnswer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
): FastifyReply {
  if (isStream(answer)) return sendPieces(reply, answer);
  if (route.answer === 'text') {
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(answer);
  }
  if (route.answer === 'redirect') {
    return reply.header('cache-control', 'no-store').redirect(String(answer), 303);
  }
  if (route.id === metrics?.id && wantsExposition(request.headers.accept)) {
    return reply
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(prometheusText(metrics.answer.parse(answer)));
  }
  const body = JSON.stringify(answer);
  reply.type('application/json; charset=utf-8');
  if (route.method !== 'GET') return reply.header('cache-control', 'no-store').send(body);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  // no-cache: kept, but asked for again each time; private: it is this person's.
  reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', route.events === true || route.id === metrics?.id ? 'cookie, accept' : 'cookie');
  return matches(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

function isStream(answer: unknown): answer is StreamAnswer {
  return typeof answer === 'object' && answer !== null && 'pieces' in answer && 'type' in answer;
}

function sendPieces(reply: FastifyReply, { type, fileName, pieces }: StreamAnswer): FastifyReply {
  reply.header('cache-control', 'no-store').type(`${type}; charset=utf-8`);
  // A proxy in between must not keep events back.
  if (type === 'text/event-stream') reply.header('x-accel-buffering', 'no');
  if (fileName !== undefined) reply.header('content-disposition', `attachment; filename="${fileName}"`);
  // One piece ahead of the reader: a slow reader slows the work down, a reader who leaves ends it.
  return reply.send(Readable.from(pieces, { highWaterMark: 1 }));
}

/** If-None-Match with weak comparison (RFC 9110 section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
