import { z } from 'zod';
import {
  type Access,
  audioTypes,
  type Deprecation,
  type EventShapes,
  type Route,
} from '#shared/api/route.ts';
import { sessionCookie } from '#shared/session-cookie.ts';

type Json = Record<string, unknown>;

/** The route table as an OpenAPI 3.1 document. */
export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const methods = route.method === 'any' ? ['get', 'post'] : [route.method.toLowerCase()];
    for (const method of methods)
      paths[route.path] = { ...paths[route.path], [method]: operation(route, method) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Operator Console', version },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        token: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error: schema(z.object({ error: z.string(), request_id: z.string().optional() })) },
    },
  };
}

function operation(route: Route, method: string): Json {
  const parameters = [...parametersOf('path', route.params), ...parametersOf('query', route.query)];
  const error = (description: string): Json => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    operationId: route.method === 'any' ? `${route.id}.${method}` : route.id,
    summary: route.summary,
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    description: `Access: ${describe(route.access)}.${describeDeprecation(route.deprecated)}`,
    security: security(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: content(route) } }),
    responses: {
      ...success(route),
      '4XX': error('Refused: the sentence says why and what to do.'),
      ...(route.access.kind === 'open' ? {} : { '401': error('No session, or not the token.') }),
    },
  };
}

function describeDeprecation(deprecated: Deprecation | undefined): string {
  return deprecated === undefined
    ? ''
    : ` Deprecated: use ${deprecated.successor}; ends on ${deprecated.sunset.slice(0, 10)}.`;
}

function success(route: Route): Json {
  if (route.answer === 'redirect') return { '303': { description: 'Goes on to the address in Location.' } };
  if (route.answer === 'stream')
    return {
      '200': {
        description: route.summary,
        content: { 'application/x-ndjson': {}, 'text/plain': {}, 'application/json': {} },
      },
    };
  if (route.answer === 'audio')
    return {
      '200': {
        description: route.summary,
        content: Object.fromEntries(audioTypes.map((type) => [type, {}])),
      },
    };
  if (route.answer === 'events')
    return { '200': { description: route.summary, content: eventContent(route.events) } };
  if (route.answer === 'text')
    return { '200': { description: route.summary, content: { 'text/plain': {} } } };
  return {
    '200': {
      description: route.summary,
      content: {
        'application/json': { schema: schema(route.answer) },
        ...(route.alternative === undefined ? {} : { [route.alternative]: { schema: { type: 'string' } } }),
        ...eventContent(route.events),
      },
    },
    ...(route.method === 'GET'
      ? { '304': { description: 'Not changed since the ETag in If-None-Match.' } }
      : {}),
  };
}

/** Server-sent events, with the schema of each event's data by its name: OpenAPI 3.1 has no field for it. */
function eventContent(events: EventShapes | undefined): Json {
  if (events === undefined) return {};
  const shapes = Object.fromEntries(Object.entries(events).map(([name, shape]) => [name, schema(shape)]));
  return { 'text/event-stream': { schema: { type: 'string' }, 'x-events': shapes } };
}

function content(route: Route): Json {
  const body = route.body === undefined ? {} : schema(route.body);
  return Object.fromEntries((route.accepts ?? ['application/json']).map((type) => [type, { schema: body }]));
}

function parametersOf(part: 'path' | 'query', shape: z.ZodType | undefined): Json[] {
  if (!(shape instanceof z.ZodObject)) return [];
  return Object.entries(shape.shape).map(([name, field]) => ({
    name,
    in: part,
    required: part === 'path' || !(field instanceof z.ZodOptional),
    schema: field instanceof z.ZodType ? schema(field) : {},
  }));
}

function schema(shape: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  return rest;
}

function security(access: Access): Json[] {
  // OpenAPI has no scheme for a signature over the body.
  if (access.kind === 'open' || access.kind === 'signature') return [];
  if (access.kind === 'read' && access.token !== undefined) return [{ session: [] }, { token: [] }];
  return [access.kind === 'machine' || access.kind === 'agent' ? { token: [] } : { session: [] }];
}

function describe(access: Access): string {
  switch (access.kind) {
    case 'open':
      return 'open';
    case 'read':
      return access.allowlist === undefined
        ? `a session when sign-in is configured${access.token === undefined ? '' : `, or the token of ${access.token} as a bearer`}`
        : `a session and membership of ${access.allowlist}`;
    case 'own':
      return "a session; the caller's own only";
    case 'write':
      return `a session and membership of ${access.allowlist}${access.ownSubject ? ", or one's own subject" : ''}${access.localOperator ? ', or the local operator of the desktop' : ''}${access.firstSteps ? ', or the holder of a sign-in link while nobody is on it' : ''}; audited`;
    case 'machine':
      return `the token of ${access.token} as a bearer; refused while it is unset`;
    case 'agent':
      return "an installation token of the code-host App for the console's organisation, as a bearer";
    case 'signature':
      return `a signature of the body with ${access.secret}; refused while it is unset`;
  }
}
