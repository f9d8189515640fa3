import type { z } from 'zod';

/** The allowlists (CON-168). */
export const allowlists = [
  'CONSOLE_SESSION_ADMINS',
  'CONSOLE_AGENT_ADMINS',
  'CONSOLE_CONNECTION_ADMINS',
  'CONSOLE_CLUSTER_ADMINS',
] as const;
export type Allowlist = (typeof allowlists)[number];

/** Shared tokens of machine ingest routes, by the variable that holds them (CON-169 to CON-171). */
export const ingestTokens = [
  'CONSOLE_HEALTH_INGEST_TOKEN',
  'CONSOLE_JUDGEMENT_INGEST_TOKEN',
  'CONSOLE_LINEAGE_INGEST_TOKEN',
  'CONSOLE_RECON_INGEST_TOKEN',
] as const;
export type IngestToken = (typeof ingestTokens)[number];

/** Token that reads one route without a session, by the variable that holds it. */
export type ReadToken = 'CONSOLE_METRICS_TOKEN';

/**
 * The callers a route admits (CON-039 to CON-043).
 * - `open`: anyone.
 * - `read`: a signed-in session when sign-in is configured; on an open console it is served. With an
 * `allowlist` a
 *   session and membership of it, in every mode (CON-166: the audit trail).
 * - `own`: a signed-in session in every mode, acting on the caller's own things only.
 * - `write`: privileged: a session plus membership of the allowlist; audited on success, failure and refusal.
 * - `machine`: the shared token of that variable as a bearer; while it is unset the route refuses everything.
 * - `agent`: an installation token of the code-host App for the console's organisation, as a bearer.
 * - `signature`: a message signed with the secret of that variable; while it is unset the route refuses everything. The
 *   handler checks the signature, since it is over the body.
 */
export type Access =
  | {
      readonly kind: 'open';
      /** Says who calls: then, and only then, an open route needs the store to answer. */
      readonly identified?: true;
    }
  | {
      readonly kind: 'read';
      readonly allowlist?: Allowlist;
      /** Beside who is on the allowlist: the person at the desktop window, whose machine it is. */
      readonly localOperator?: true;
      /** Also admits who presents the token of this variable as a bearer, while it is set: a scraper. */
      readonly token?: ReadToken;
    }
  | { readonly kind: 'own' }
  | PrivilegedWrite
  | { readonly kind: 'machine'; readonly token: IngestToken }
  | { readonly kind: 'agent' }
  | { readonly kind: 'signature'; readonly secret: 'STRIPE_WEBHOOK_SECRET' };

export type PrivilegedWrite = {
  readonly kind: 'write';
  readonly allowlist: Allowlist;
  /** Also admits people acting on themselves; only the handler knows who the subject is, so it checks. */
  readonly ownSubject?: true;
  /** Also admits the person at the desktop window, who owns the machine, its keychain and its environment. */
  readonly localOperator?: true;
  /**
   * Also admits, for as long as nobody is a session admin, whoever signed in by the local operator's one-time link:
   * only who can open the console's store, or reads its terminal, can have one.
   */
  readonly firstSteps?: true;
  /**
   * The handler records the act itself, before and after it; the console then records only what did not reach it: what it
   * refused, and what the handler threw.
   */
  readonly recordsItself?: true;
  /** Name of the act in the audit trail, such as `sessions.revoke_all`. */
  readonly action: string;
  /** Location in the request of the target acted on: `params.name` or `body.subject`. Never a secret. */
  readonly target:
    | `${'params' | 'body'}.${string}`
    | 'settings'
    | 'session-admins'
    | 'bundles'
    | 'sandbox'
    | 'kubeconfigs'
    | 'guardrails'
    | 'connections';
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One route of the console as data: the server, the client, OpenAPI and the contract tests all read it. */
export type Route = {
  /** Unique name, such as `signIn.password`; the server's handler carries the same name. */
  readonly id: string;
  /** `any` answers every method (`/auth/logout`, CON-072). */
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
  /** Bytes that the body may have; 1 MB when absent. */
  readonly largestBody?: number;
  /** Accepted request media types; JSON when absent. `application/octet-stream` reaches the handler as an `UploadedFile`. */
  readonly accepts?: readonly (
    | 'application/json'
    | 'application/x-www-form-urlencoded'
    | 'application/octet-stream'
    | AudioType
  )[];
  /** The body reaches the handler as it came, as a `Uint8Array`: its schema only types it. */
  readonly rawBody?: true;
  /**
   * The answer's JSON; `text`, `redirect`, `stream` (a `StreamAnswer`), `audio` (an `AudioAnswer`) and `events` (the route's
   * `events`) are no JSON.
   */
  readonly answer: z.ZodType | 'text' | 'redirect' | 'stream' | 'audio' | 'events';
  /**
   * Server-sent events by name; if there is also a JSON answer, they are sent for `Accept: text/event-stream`
   * only.
   */
  readonly events?: EventShapes;
  /**
   * The events continue until the caller disconnects, and each has an ID: a caller that reconnects with the
   * last one in `Last-Event-ID` receives what it missed. Other streams end by themselves.
   */
  readonly endless?: true;
  /** Media type of a second form, such as a scraper's (RTE-021): for who names it in `Accept`, as an `AlternativeAnswer`. */
  readonly alternative?: string;
  /** Set for an alias that is kept for one release: every answer of it says so by `Deprecation`, `Sunset` and `Link`. */
  readonly deprecated?: Deprecation;
  /** Additional text in the body of a 405 on this path (`/api/studio`, CON-061). */
  readonly methodNotAllowedText?: string;
};

/** A deprecated route (RFC 9745), its end (RFC 8594) and what takes its place. Times in RFC 3339. */
export type Deprecation = {
  readonly since: string;
  readonly sunset: string;
  /** Path of what takes its place on this origin, such as `/datasource.v1.ConnectionsService`. */
  readonly successor: string;
};

/** Keeps the literal types of a route, so that handlers and clients are typed from it. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

/** The data of a stream's events, by the name of the event. */
export type EventShapes = { readonly [name: string]: z.ZodType };

/** One event of a stream, as a handler yields it. The console writes it down; a handler never sees its text. */
export type StreamEvent<E extends EventShapes = EventShapes> = {
  [Name in keyof E & string]: {
    readonly event: Name;
    readonly data: z.input<E[Name]>;
    /** ID after which the stream can resume. */
    readonly id?: string;
  };
}[keyof E & string];

/**
 * Events as they occur. The next one is pulled when the previous one is on its way; the iterator is returned
 * when the caller disconnects.
 */
export type EventStream<E extends EventShapes = EventShapes> = AsyncIterable<StreamEvent<E>>;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The input of a handler of `R` after validation. */
export type RouteInput<R extends Route> = {
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: Parsed<R['body']>;
};

/** An answer written piece by piece, as fast as the caller reads it; ended early when the caller goes away. */
export type StreamAnswer = {
  /** JSON where what is streamed could not be read, and that is the answer. */
  readonly type: 'application/x-ndjson' | 'text/plain' | 'application/json';
  /** Offered as a download under this name. */
  readonly fileName?: string;
  readonly pieces: AsyncIterable<string>;
};

/** Media types of sound that browsers record and play. */
export const audioTypes = ['audio/wav', 'audio/webm', 'audio/ogg', 'audio/mp4', 'audio/mpeg'] as const;
export type AudioType = (typeof audioTypes)[number];

/** Sound written as it comes; ended early when the caller goes away. */
export type AudioAnswer = { readonly audio: AudioType; readonly bytes: AsyncIterable<Uint8Array> };

/** An answer in the second form that its route declares. */
export type AlternativeAnswer<Type extends string = string> = { readonly type: Type; readonly text: string };

/** The JSON of a route that answers any. */
export type JsonAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.input<R['answer']> : never;

/**
 * The answer of a handler of `R`: the JSON body, a text, the address to redirect to, pieces, events, or the
 * alternative form.
 */
export type RouteAnswer<R extends Route> =
  | (R['answer'] extends z.ZodType
      ? JsonAnswer<R>
      : R['answer'] extends 'stream'
        ? StreamAnswer
        : R['answer'] extends 'audio'
          ? AudioAnswer
          : R['answer'] extends 'events'
            ? never
            : string)
  | (R extends { readonly events: infer E extends EventShapes } ? EventStream<E> : never)
  | (R extends { readonly alternative: infer Type extends string } ? AlternativeAnswer<Type> : never);
