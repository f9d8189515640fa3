import type { Server } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { ConsoleError } from '#shared/errors.ts';
import type { Listener } from './root-handler.ts';

/** Bytes of a JSON or form body. */
const bodyLimit = 1024 * 1024;

/** Creates Fastify without its own listener: the root handler decides what reaches it. */
export function fastifyOn(
  server: Server,
  trustedProxies: readonly string[] | undefined,
): { fastify: FastifyInstance; handler: Listener } {
  let handler: Listener = () => undefined;
  const fastify = Fastify({
    bodyLimit,
    exposeHeadRoutes: false,
    // Whose word counts for the caller's address; anybody else's X-Forwarded-For is theirs to make up.
    trustProxy: trustedProxies === undefined ? false : [...trustedProxies],
    logger: false,
    // Matched as it was sent: no second reading of an address may differ from the guard's and the proxy's.
    routerOptions: {
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
      maxParamLength: 512,
    },
    serverFactory: (fastifyHandler) => {
      handler = fastifyHandler;
      return server;
    },
  });
  // Fastify reads JSON and text by itself; the two sign-in posts are forms.
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const fields = new Map<string, string>();
      for (const [name, value] of new URLSearchParams(String(body))) {
        // Which of two counts is anyone's guess: a credential given twice is not taken at all.
        if (fields.has(name))
          return done(new ConsoleError('BadInput', 'The form gives one of its fields more than once.'));
        fields.set(name, value);
      }
      done(null, Object.fromEntries(fields));
    },
  );
  // A file is taken as it comes: the one route that takes one writes it down piece by piece, and bounds it.
  fastify.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    const length = Number(request.headers['content-length']);
    done(null, { bytes: payload, length: Number.isFinite(length) ? length : undefined });
  });
  fastify.removeContentTypeParser('text/plain');
  return { fastify, handler: (request, response) => handler(request, response) };
}
