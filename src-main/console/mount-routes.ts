import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Call, Caller, Handlers } from '#shared/api/handler.ts';
import { routeTable } from '#shared/api/index.ts';
import type { PrivilegedWrite, Route } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Act, type Audit, audited, circumstancesOf } from '../features/audit/index.ts';
import { cookieValues } from '../features/sign-in/index.ts';
import type { Gate } from './access.ts';
import { sendAnswer } from './answers.ts';

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

type Options = {
  readonly handlers: Handlers;
  readonly gate: Gate;
  /** Aborts when the console begins to close. */
  readonly closing: AbortSignal;
  readonly audit: Audit;
  readonly isSecure: (request: FastifyRequest['raw']) => boolean;
};

/** A handler as the mounting sees it: its own types are checked where it is written, against its route. */
type AnyHandler = (input: { params: unknown; query: unknown; body: unknown }, call: Call) => unknown;

/** Adds to the audit record of the call; on routes that are not audited there is none. */
type Recorder = Call['record'];

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
      ...(route.largestBody === undefined ? {} : { bodyLimit: route.largestBody }),
      handler: async (request, reply) => {
        const { access } = route;
        const caller = await options.gate.identify(access, request.raw);
        const run = async (record: Recorder): Promise<unknown> => {
          const admitted = await options.gate.admit(access, caller, request.raw);
          checkMediaType(route, request);
          const input = {
            params: parse(route.params, request.params, 'path'),
            query: parse(route.query, request.query, 'query'),
            body: parse(route.body, request.body, 'body'),
          };
          return handler(input, callOf(request, reply, admitted, record, options));
        };
        const from = { address: request.ip, userAgent: request.headers['user-agent'] };
        const answer =
          access.kind === 'write'
            ? await audited(options.audit, actOf(access, caller, request), circumstancesOf(from), (event) =>
                run((summary, detail) => event.record(summary, detail)),
              )
            : await run(() => undefined);
        return sendAnswer(route, request, reply, answer);
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
  // No name here has one, and PostgreSQL stores none.
  if (place !== 'body' && Object.values(value ?? {}).some((part) => String(part).includes('\0')))
    throw new ConsoleError('BadInput', `In the ${place}, a NUL character is not valid.`);
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

/** An unknown parameter is a spelling mistake: named, not ignored (RTE-005). */
function refuseUnknown(query: unknown, known: unknown = {}): void {
  if (typeof query !== 'object' || query === null) return;
  const knownNames = typeof known === 'object' && known !== null ? Object.keys(known) : [];
  const unknown = Object.keys(query).find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw new ConsoleError('BadInput', `"${unknown}" is not a parameter of this address.`);
}

/** The act as the request names it, before anything of it was checked: a refusal is recorded, too. */
function actOf(access: PrivilegedWrite, caller: Caller, request: FastifyRequest): Act {
  const [place, field] = access.target.split('.');
  const parts: unknown = place === 'params' ? request.params : request.body;
  const named: unknown =
    field !== undefined && typeof parts === 'object' && parts !== null
      ? Reflect.get(parts, field)
      : undefined;
  const target =
    field === undefined ? access.target : typeof named === 'string' ? named.trim() : '(not given)';
  return { actor: caller.email ?? 'anonymous', action: access.action, target: target.slice(0, 320) };
}

function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  record: Recorder,
  options: Options,
): Call {
  let signal: AbortSignal | undefined;
  return {
    caller,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    secure: options.isSecure(request.raw),
    cookies: (name) => cookieValues(request.headers.cookie, name),
    get signal() {
      signal ??= AbortSignal.any([options.closing, goneAway(reply)]);
      return signal;
    },
    setCookie: (line) => void reply.header('set-cookie', line),
    accepts: (type) =>
      request.headers.accept?.split(',').some((range) => range.split(';', 1)[0]?.trim() === type) === true,
    record,
  };
}

function goneAway(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  else reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
