import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Call, Caller, Handlers } from '#shared/api/handler.ts';
import { routeTable } from '#shared/api/index.ts';
import type { Route } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { cookieValues } from '../features/sign-in/index.ts';
import { type AccessOptions, checkAccess } from './access.ts';

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

type Options = {
  readonly handlers: Handlers;
  readonly access: AccessOptions;
  readonly callerOf: (request: FastifyRequest['raw']) => Promise<Caller>;
  readonly isSecure: (request: FastifyRequest['raw']) => boolean;
};

/** A handler as the mounting sees it: its own types are checked where it is written, against its route. */
type AnyHandler = (input: { params: unknown; query: unknown; body: unknown }, call: Call) => unknown;

/**
 * Mounts the route table: nothing else can be mounted, and each route with its access class. Before a handler runs:
 * who asks, whether the class admits them, whether parameters, query and body have the table's shapes.
 */
export function mountRoutes(app: FastifyInstance, options: Options): void {
  const table: readonly Route[] = routeTable;
  for (const route of table) {
    // The compiler checked that `handlers` holds this id with this route's types; the loop cannot carry the pairing.
    const handler = options.handlers[route.id as keyof Handlers] as AnyHandler;
    app.route({
      method: route.method === 'any' ? [...allMethods] : route.method,
      url: fastifyPath(route.path),
      handler: async (request, reply) => {
        const caller = await options.callerOf(request.raw);
        checkAccess(route.access, caller, options.access);
        checkMediaType(route, request);
        const input = {
          params: parse(route.params, request.params, 'path'),
          query: parse(route.query, request.query, 'query'),
          body: parse(route.body, request.body, 'body'),
        };
        const answer = await handler(input, callOf(request, reply, caller, options));
        return send(route, request, reply, answer);
      },
    });
  }
  for (const path of new Set(table.map((route) => route.path))) {
    const taken = table.filter((route) => route.path === path).map((route) => route.method);
    if (taken.includes('any')) continue;
    // Registered, so that another route's pattern cannot take what this exact path refuses.
    app.route({
      method: allMethods.filter((method) => !taken.some((used) => used === method)),
      url: fastifyPath(path),
      handler: () => {
        throw methodNotAllowed(path);
      },
    });
  }
}

function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The 405 of a path in the table, or undefined for a path that is not in it. An exact path wins over a pattern. */
export function methodNotAllowed(path: string): ConsoleError | undefined {
  const table: readonly Route[] = routeTable;
  const exact = table.filter((route) => route.path === path);
  const routes = exact.length > 0 ? exact : table.filter((route) => pathPattern(route.path).test(path));
  if (routes.length === 0) return undefined;
  const allow = routes
    .map((route) => (route.method === 'any' ? allMethods.join(', ') : route.method))
    .join(', ');
  const special = routes.find((route) => route.methodNotAllowedText !== undefined)?.methodNotAllowedText;
  const words = special ?? `This address does not take that method: it takes ${allow}.`;
  return new ConsoleError('MethodNotAllowed', words, { allow });
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function checkMediaType(route: Route, request: FastifyRequest): void {
  if (route.body === undefined) return;
  const accepts = route.accepts ?? ['application/json'];
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  // A form cannot send JSON across origins without the browser asking first; text/plain could.
  if (!accepts.some((accepted) => accepted === type)) {
    throw new ConsoleError('UnsupportedMediaType', `The body must be ${accepts.join(' or ')}.`);
  }
}

function parse(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) {
    if (place === 'query') refuseUnknown(value);
    return undefined;
  }
  const result = schema.safeParse(value ?? {});
  if (result.success) {
    if (place === 'query') refuseUnknown(value, result.data);
    return result.data;
  }
  const [issue] = result.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new ConsoleError(
    'BadInput',
    `In the ${place}, ${name === '' ? 'the value' : `"${name}"`} is not valid: ${issue?.message}.`,
  );
}

/** An unknown parameter is a spelling mistake: named, not ignored (routes.md, Rules for every body). */
function refuseUnknown(query: unknown, known: unknown = {}): void {
  if (typeof query !== 'object' || query === null) return;
  const knownNames = typeof known === 'object' && known !== null ? Object.keys(known) : [];
  const unknown = Object.keys(query).find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw new ConsoleError('BadInput', `"${unknown}" is not a parameter of this address.`);
}

function callOf(request: FastifyRequest, reply: FastifyReply, caller: Caller, options: Options): Call {
  return {
    caller,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    secure: options.isSecure(request.raw),
    cookies: (name) => cookieValues(request.headers.cookie, name),
    setCookie: (line) => void reply.header('set-cookie', line),
  };
}

function send(route: Route, request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
  if (route.answer === 'text') {
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(answer);
  }
  if (route.answer === 'redirect') {
    return reply.header('cache-control', 'no-store').redirect(String(answer), 303);
  }
  const body = JSON.stringify(answer);
  reply.type('application/json; charset=utf-8');
  if (route.method !== 'GET') return reply.header('cache-control', 'no-store').send(body);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  // no-cache: kept, but asked for again each time; private: it is this person's.
  reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'cookie');
  return matches(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

/** If-None-Match with weak comparison (RFC 9110 section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
