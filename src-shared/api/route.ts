import type { z } from 'zod';

/** Allowlists named by the specification (spec/console.md, Authentication 2 and 3). */
export const allowlists = [
  'CONSOLE_SESSION_ADMINS',
  'CONSOLE_AGENT_ADMINS',
  'CONSOLE_CONNECTION_ADMINS',
] as const;
export type Allowlist = (typeof allowlists)[number];

/**
 * Who may call a route (spec/console.md, Route authorisation classes).
 * - `open`: anyone.
 * - `read`: a signed-in session when sign-in is configured; on an open console it is served.
 * - `own`: a signed-in session in every mode, acting on the caller's own things only.
 * - `write`: a session plus membership of the allowlist; `ownSubject` also admits anyone acting on themselves.
 */
export type Access =
  | { readonly kind: 'open' }
  | { readonly kind: 'read' }
  | { readonly kind: 'own' }
  | { readonly kind: 'write'; readonly allowlist: Allowlist; readonly ownSubject?: true };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route of the console as data: the server, the client, OpenAPI and the contract tests all read it. */
export type Route = {
  /** Unique name, such as `signIn.password`; the server's handler carries the same name. */
  readonly id: string;
  /** `any` answers every method (spec: `/auth/logout`). */
  readonly method: Method | 'any';
  /** Path with `{name}` parameters, as in OpenAPI. */
  readonly path: string;
  readonly access: Access;
  /** One sentence for the generated documentation. */
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Body of an unsafe method. */
  readonly body?: z.ZodType;
  /** Accepted request media types; JSON when absent. */
  readonly accepts?: readonly ('application/json' | 'application/x-www-form-urlencoded')[];
  /** The answer's JSON; a route with `text` or `redirect` answers no JSON. */
  readonly answer: z.ZodType | 'text' | 'redirect';
  /** Extra words in the body of a 405 on this path (spec: `/api/studio`). */
  readonly methodNotAllowedText?: string;
};

/** Keeps the literal types of a route, so that handlers and clients are typed from it. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler of `R` is given after validation. */
export type RouteInput<R extends Route> = {
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: Parsed<R['body']>;
};

/** What a handler of `R` answers: the JSON body, a text, or the address to go to. */
export type RouteAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.input<R['answer']> : string;
