import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditDetail, Call, Caller, Handlers, StreamRequest } from '#shared/api/handler.ts';
import { routeTable } from '#shared/api/index.ts';
import type { Deprecation, EventStream, PrivilegedWrite, Route } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { knownSender } from '../base/connection-watch.ts';
import { requestIdHeader, requestIdOf } from '../base/request-id.ts';
import { type Act, type Audit, audited, circumstancesOf } from '../features/audit/index.ts';
import { cookieValues } from '../features/sign-in/index.ts';
import { prefersToJson } from './accept.ts';
import type { Gate } from './access.ts';
import { isEvents, isStream, sendAnswer } from './answers.ts';
import { answerTo } from './errors.ts';
import type { OpenCall, OpenCalls } from './open-calls.ts';
import { parseInput } from './parse-input.ts';
import type { ReportLimits } from './report-limits.ts';

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

type Options = {
  readonly handlers: Handlers;
  readonly gate: Gate;
  readonly openCalls: OpenCalls;
  /** Aborts when the console begins to close. */
  readonly closing: AbortSignal;
  readonly audit: Audit;
  readonly reportLimits: ReportLimits;
  readonly isSecure: (request: FastifyRequest['raw']) => boolean;
};

/** A handler as the mounting sees it: its own types are checked where it is written, against its route. */
type AnyHandler = (input: { params: unknown; query: unknown; body: unknown }, call: Call) => unknown;

/** Adds to the audit record of the call; on routes that are not audited there is none. */
type Recorder = Call['record'];

/** An admitted call: who makes it, its audit record, and how long it may go on. */
type Admitted = { readonly caller: Caller; readonly record: Recorder; readonly open: OpenCall };

/** The outcome of the checks of a request that come before its body is read. */
type Admission = {
  readonly caller: Caller;
  readonly admitted: Caller;
  /** True once its handler runs: from then on, the call records how it ends. */
  handled: boolean;
};

/** One call of a route, as its own request or as a subscription of an event connection. */
type RouteCall = {
  readonly route: Route;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Undefined where no body is read before: a read, an open route, an event stream. */
  readonly admission?: Admission | undefined;
  /** The request that carried it: its headers identify the caller. */
  readonly request: FastifyRequest;
  /** Returns the HTTP context a handler may need, once the caller is admitted. */
  callOf(caller: Caller, record: Recorder): Call;
};

/**
 * Mounts the route table: nothing else can be mounted, and each route has its access class. Before a handler
 * runs: the caller is identified, the class must admit them, and parameters, query and body must match the
 * table's schemas.
 */
export function mountRoutes(app: FastifyInstance, options: Options): void {
  const table: readonly Route[] = routeTable;
  for (const route of table) {
    const admissions = new WeakMap<FastifyRequest, Admission>();
    mountOn(app, route, (scope) =>
      scope.route({
        method: route.method === 'any' ? [...allMethods] : route.method,
        url: fastifyPath(route.path),
        ...(route.largestBody === undefined ? {} : { bodyLimit: route.largestBody }),
        // Before anything can be refused: whoever calls an alias is told, whatever it answers.
        ...(route.deprecated === undefined ? {} : { onRequest: [tellDeprecation(route.deprecated)] }),
        ...(route.method === 'GET' || route.access.kind === 'open'
          ? {}
          : {
              onRequest: [
                ...(route.deprecated === undefined ? [] : [tellDeprecation(route.deprecated)]),
                // The class before the body: who may not do this is told so, whatever they sent and however much of it.
                async (request: FastifyRequest) => {
                  admissions.set(request, await admitted(route, request, options));
                },
              ],
              onError: async (request, _reply, error) => {
                const admission = admissions.get(request);
                if (admission?.handled === false)
                  await recordUnread(route, admission, request, error, options);
              },
            }),
        handler: async (request, reply) => {
          const { params, query, body } = request;
          const admission = admissions.get(request);
          if (admission !== undefined) admission.handled = true;
          let open: OpenCall | undefined;
          const callOf = (caller: Caller, record: Recorder): Call => {
            open = openedCall(route, request, reply, caller, options);
            return requestCall(request, reply, { caller, record, open }, options);
          };
          const answer = await runRoute({ route, params, query, body, admission, request, callOf }, options);
          if (isEvents(answer) || isStream(answer)) open?.countStream();
          // A read that outlasted its session is not answered; a write was done, and says so.
          if (route.method === 'GET') throwIfEnded(open);
          return sendAnswer(route, request, reply, answer);
        },
      }),
    );
  }
  for (const path of new Set(table.map((route) => route.path))) {
    const taken = table.filter((route) => route.path === path).map((route) => route.method);
    if (taken.includes('any')) continue;
    // Registered, so that another route's pattern cannot take what this exact path refuses.
    app.route({
      method: allMethods.filter((method) => !taken.some((used) => used === method)),
      url: fastifyPath(path),
      // Before the body: whatever it is, the answer is the same.
      onRequest: async (_request, reply) => refuseMethod(path, reply),
      handler: (_request, reply) => reply,
    });
  }
}

/** Mounts a route where its body is read as it declares: a raw one by a parser that leaves it as it came. */
function mountOn(app: FastifyInstance, route: Route, mount: (scope: FastifyInstance) => void): void {
  if (route.rawBody !== true) {
    mount(app);
    return;
  }
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    mount(scope);
  });
}

/** Runs one call of a route: access class, schemas, handler, and the audit record the class requires. */
async function runRoute(
  { route, params, query, body, admission, request, callOf }: RouteCall,
  options: Options,
): Promise<unknown> {
  const { access } = route;
  // The compiler checked that `handlers` holds this id with this route's types; a looked-up row cannot carry the pairing.
  const handler = options.handlers[route.id as keyof Handlers] as AnyHandler;
  const caller = admission?.caller ?? (await options.gate.identify(access, request.raw));
  const run = async (record: Recorder): Promise<unknown> => {
    // Asked again after the body, which may have taken a while to come.
    const admitted =
      access.kind === 'agent' && admission !== undefined
        ? admission.admitted
        : await options.gate.admit(access, caller, request.raw);
    options.reportLimits.take(access, admitted);
    checkMediaType(route, request);
    knownSender(request.raw, admitted.sessionId ?? request.ip);
    const input = {
      params: parseInput(route.params, params, 'path'),
      query: parseInput(route.query, query, 'query'),
      body: parseInput(route.body, body, 'body'),
    };
    return handler(input, callOf(admitted, record));
  };
  if (access.kind !== 'write') return run(() => undefined);
  if (access.recordsItself) {
    try {
      return await run(() => undefined);
    } catch (error) {
      const act = actOf(access, caller, { params, body });
      return audited(options.audit, act, originOf(request), () => Promise.reject(error));
    }
  }
  return audited(options.audit, actOf(access, caller, { params, body }), originOf(request), (event) =>
    run((summary, detail) => event.record(summary, detail)),
  );
}

/** Admits the caller of a request whose body is not read yet; a refused privileged write is recorded. */
async function admitted(route: Route, request: FastifyRequest, options: Options): Promise<Admission> {
  const { access } = route;
  const caller = await options.gate.identify(access, request.raw);
  try {
    return { caller, admitted: await options.gate.admit(access, caller, request.raw), handled: false };
  } catch (error) {
    if (access.kind !== 'write') throw error;
    const act = actOf(access, caller, { params: request.params, body: undefined });
    return audited(options.audit, act, originOf(request), () => Promise.reject(error));
  }
}

/** Records a privileged write whose body was not read: not JSON, too large, of another media type. */
async function recordUnread(
  { access }: Route,
  { caller }: Admission,
  request: FastifyRequest,
  error: Error,
  { audit }: Options,
): Promise<void> {
  if (access.kind !== 'write') return;
  const act = actOf(access, caller, { params: request.params, body: undefined });
  const event = await audit.begin(act, originOf(request));
  await event.fail(answerTo(error, requestIdOf(request.raw)).message);
}

function originOf(request: FastifyRequest): AuditDetail {
  return circumstancesOf({ address: request.ip, userAgent: request.headers['user-agent'] });
}

/** Opens an event stream of another route for who sent `request`. Throws what that route would answer. */
async function openStream(
  { route: id, params, query, lastEventId }: StreamRequest,
  signal: AbortSignal,
  request: FastifyRequest,
  options: Options,
): Promise<EventStream> {
  const table: readonly Route[] = routeTable;
  const route = table.find((row) => row.id === id);
  // One connection within another would carry nothing that it cannot carry itself.
  if (route?.events === undefined || route.method !== 'GET' || route.id === 'events.open')
    throw new ConsoleError('BadInput', `"${id}" is not an event stream of this console.`);
  let open: OpenCall | undefined;
  const callOf = (caller: Caller, record: Recorder): Call => {
    const { access } = route;
    open = options.openCalls.open({ access, caller, request: request.raw, address: request.ip });
    return {
      ...circumstances(request, { caller, record, open }, options),
      signal: AbortSignal.any([signal, open.signal]),
      lastEventId,
      setCookie: () => undefined,
      accepts: (type) => type === 'text/event-stream',
    };
  };
  try {
    const answer = await runRoute({ route, params, query, body: undefined, request, callOf }, options);
    if (!isEvents(answer)) throw new Error(`the handler of ${id} answered no events`);
    open?.countStream();
    return whileOpen(answer, open);
  } catch (error) {
    open?.close();
    throw error;
  }
}

/** Yields the events of a call while it may be made, then throws why it may not. */
async function* whileOpen(events: EventStream, open: OpenCall | undefined): EventStream {
  try {
    for await (const event of events) {
      throwIfEnded(open);
      yield event;
    }
    throwIfEnded(open);
  } finally {
    open?.close();
  }
}

function throwIfEnded(open: OpenCall | undefined): void {
  if (open?.signal.aborted === true) throw open.signal.reason;
}

/** Opens the call of a request; what was sent of an answer is cut off when the call may no longer be made. */
function openedCall(
  { access }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  options: Options,
): OpenCall {
  const open = options.openCalls.open({ access, caller, request: request.raw, address: request.ip });
  open.signal.addEventListener('abort', () => {
    // Cut, not ended: half of a log or an export must not look like all of it.
    if (reply.raw.headersSent) reply.raw.destroy();
  });
  if (reply.raw.destroyed) open.close();
  else reply.raw.once('close', open.close);
  return open;
}

/** Marks every answer of an alias: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` to what takes its place. */
function tellDeprecation({ since, sunset, successor }: Deprecation) {
  const headers = {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${successor}>; rel="successor-version", </api/openapi.json>; rel="deprecation"; type="application/json"`,
  };
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(headers);
  };
}

function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/**
 * Answers 405 for a path in the table: throws it, or sends it as text where the route says what to do instead. An exact path wins over a
 * pattern. Does nothing for a path that is not in the table.
 */
export async function refuseMethod(path: string, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const table: readonly Route[] = routeTable;
  const exact = table.filter((route) => route.path === path);
  const routes = exact.length > 0 ? exact : table.filter((route) => pathPattern(route.path).test(path));
  if (routes.length === 0) return undefined;
  const allow = routes
    .map((route) => (route.method === 'any' ? allMethods.join(', ') : route.method))
    .join(', ');
  const special = routes.find((route) => route.methodNotAllowedText !== undefined)?.methodNotAllowedText;
  if (special !== undefined) {
    return reply
      .code(405)
      .headers({ allow, 'cache-control': 'no-store', [requestIdHeader]: requestIdOf(reply.request.raw) })
      .type('text/plain; charset=utf-8')
      .send(special);
  }
  throw new ConsoleError('MethodNotAllowed', `This address does not take that method: it takes ${allow}.`, {
    allow,
  });
}

/** Returns the expression that matches a route's path. */
export function pathPattern(path: string): RegExp {
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

/** The act as the request names it, before anything of it was checked: a refusal is recorded, too. */
function actOf(
  access: PrivilegedWrite,
  caller: Caller,
  request: { readonly params: unknown; readonly body: unknown },
): Act {
  const [part, field] = access.target.split('.');
  const parts: unknown = part === 'params' ? request.params : request.body;
  const named: unknown =
    field !== undefined && typeof parts === 'object' && parts !== null
      ? Reflect.get(parts, field)
      : undefined;
  const target =
    field === undefined
      ? access.target
      : typeof named === 'string'
        ? named.trim()
        : parts === undefined
          ? '(not read)'
          : '(not given)';
  return { actor: caller.email ?? 'anonymous', action: access.action, target: target.slice(0, 320) };
}

function requestCall(
  request: FastifyRequest,
  reply: FastifyReply,
  admitted: Admitted,
  options: Options,
): Call {
  let signal: AbortSignal | undefined;
  return {
    ...circumstances(request, admitted, options),
    get signal() {
      signal ??= AbortSignal.any([options.closing, goneAway(reply), admitted.open.signal]);
      return signal;
    },
    lastEventId: headerOf(request, 'last-event-id'),
    setCookie: (line) => void reply.header('set-cookie', line),
    accepts: (type) => prefersToJson(request.headers.accept, type),
  };
}

/** Returns the request's part of a call, whatever the answer. */
function circumstances(request: FastifyRequest, { caller, record, open }: Admitted, options: Options) {
  return {
    caller,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    secure: options.isSecure(request.raw),
    header: (name: 'content-type' | 'stripe-signature') => headerOf(request, name),
    cookies: (name: string) => cookieValues(request.headers.cookie, name),
    openStream: (query: StreamRequest, signal: AbortSignal) => openStream(query, signal, request, options),
    recheck: open.recheck,
    record,
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function goneAway(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  else reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
