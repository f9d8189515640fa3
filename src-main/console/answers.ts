import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AlternativeAnswer, AudioAnswer, EventStream, Route, StreamAnswer } from '#shared/api/route.ts';
import { eventText } from './event-stream.ts';
import { jsonChunks } from './json-text.ts';

/** Writes what a handler answered, in the form its route declares. */
export async function sendAnswer(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
): Promise<FastifyReply> {
  if (isEvents(answer)) return sendEvents(reply, answer);
  if (isStream(answer)) return sendPieces(reply, answer);
  if (isAudio(answer)) return sendAudio(reply, answer);
  if (route.answer === 'text') {
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(answer);
  }
  if (route.answer === 'redirect') {
    return reply.header('cache-control', 'no-store').redirect(String(answer), 303);
  }
  if (isAlternative(route, answer)) {
    return reply
      .header('cache-control', 'no-store')
      .header('vary', 'cookie, accept')
      .type(`${answer.type}; charset=utf-8`)
      .send(answer.text);
  }
  if (answer === undefined) return reply.header('cache-control', 'no-store').send();
  const chunks = (await jsonChunks(answer)).map((chunk) => Buffer.from(chunk));
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  reply.type('application/json; charset=utf-8');
  if (route.method !== 'GET') return reply.header('cache-control', 'no-store').send(body);
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  const etag = `"${hash.digest('base64url').slice(0, 27)}"`;
  // no-cache: kept, but asked for again each time; private: it is this person's.
  reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', hasForms(route) ? 'cookie, accept' : 'cookie');
  return matches(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

/** Returns whether what is answered depends on `Accept`. */
function hasForms(route: Route): boolean {
  return route.events !== undefined || route.alternative !== undefined;
}

/** Returns whether a handler answered events. */
export function isEvents(answer: unknown): answer is EventStream {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

function isAlternative(route: Route, answer: unknown): answer is AlternativeAnswer {
  return (
    route.alternative !== undefined &&
    typeof answer === 'object' &&
    answer !== null &&
    'type' in answer &&
    answer.type === route.alternative
  );
}

/** Returns whether a handler answered pieces of a text. */
export function isStream(answer: unknown): answer is StreamAnswer {
  return typeof answer === 'object' && answer !== null && 'pieces' in answer && 'type' in answer;
}

/** Returns whether a handler answered sound. */
function isAudio(answer: unknown): answer is AudioAnswer {
  return typeof answer === 'object' && answer !== null && 'audio' in answer && 'bytes' in answer;
}

function sendAudio(reply: FastifyReply, { audio, bytes }: AudioAnswer): FastifyReply {
  reply.header('cache-control', 'no-store').type(audio);
  return reply.send(Readable.from(bytes, { highWaterMark: 1, objectMode: true }));
}

async function sendEvents(reply: FastifyReply, events: EventStream): Promise<FastifyReply> {
  const text = eventText(events);
  // Before the head is sent, so that a stream that fails at once is answered like any other failure.
  const first = await text.next();
  // A proxy in between must not keep events back.
  reply.header('x-accel-buffering', 'no');
  return sendText(reply, 'text/event-stream', startingWith(first, text));
}

/** Goes on after a first step that was taken before. Not a generator: one that never began would not return `rest`. */
function startingWith<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncIterable<T> {
  let begin: IteratorResult<T> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (begin === undefined) return rest.next();
        const step = begin;
        begin = undefined;
        return step;
      },
      return: () => rest.return(undefined),
    }),
  };
}

function sendPieces(reply: FastifyReply, { type, fileName, pieces }: StreamAnswer): FastifyReply {
  if (fileName !== undefined) reply.header('content-disposition', `attachment; filename="${fileName}"`);
  return sendText(reply, type, pieces);
}

function sendText(reply: FastifyReply, type: string, pieces: AsyncIterable<string>): FastifyReply {
  reply.header('cache-control', 'no-store').type(`${type}; charset=utf-8`);
  // One piece ahead of the reader: a slow reader slows the work down, a reader who leaves ends it.
  return reply.send(Readable.from(pieces, { highWaterMark: 1 }));
}

/** If-None-Match with weak comparison (RFC 9110 section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
