import type { RouteId, RouteOf } from './index.ts';
import type { EventStream, Route, RouteAnswer, RouteInput } from './route.ts';

/**
 * The caller of a request, as the console established it; nothing here is taken from the request's content.
 */
export type Caller = {
  /** Signed-in email; undefined without a session. */
  readonly email: string | undefined;
  /** Handle of the session; undefined without one. */
  readonly sessionId: string | undefined;
  /** True for the session of the desktop window, which the main process started itself. */
  readonly localOperator: boolean;
  /** True for a session that a one-time sign-in link of the local operator started. */
  readonly signInLink: boolean;
  /** The App whose installation token was presented; only on routes of the class `agent`. */
  readonly agent?: AgentCaller | undefined;
};

/** An agent of the platform, as the code host vouched for its installation token. */
export type AgentCaller = { readonly app: string; readonly installation: number };

/** One call of a route: the caller, and the HTTP context a handler may need. */
export type Call = {
  readonly caller: Caller;
  /** Peer address, for rate limits. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** True when the browser reached us over https. */
  readonly secure: boolean;
  /** Every value of a request cookie, in order. */
  cookies(name: string): readonly string[];
  /** Adds a Set-Cookie line to the answer. */
  setCookie(line: string): void;
  /**
   * Aborts when the caller goes away, may no longer make this call (their session ended, they left the list that
   * admitted them), or the console is closing: long work and long polls end then.
   */
  readonly signal: AbortSignal;
  /** Throws what this call would be answered with now: for long polls, before and after they take something. */
  recheck(): Promise<void>;
  /** Reads a request header that a raw body is checked or read by. */
  header(name: 'content-type' | 'stripe-signature'): string | undefined;
  /** True when the caller requested this media type by name in `Accept`, with its parameters. */
  accepts(type: string): boolean;
  /** `Last-Event-ID`: the last event that the caller has of this stream. */
  readonly lastEventId: string | undefined;
  /**
   * Opens an event stream of another route for the same caller: through that route's access class, shapes and
   * handler, as its own request. Throws the error that request would be answered with.
   */
  openStream(request: StreamRequest, signal: AbortSignal): Promise<EventStream>;
  /**
   * On a privileged write: what the audit record says beyond who, what and how it ended. `summary` is one sentence;
   * `detail` never holds a secret. Later calls add to earlier ones. Ignored on other routes.
   */
  record(summary: string, detail?: AuditDetail): void;
};

/** The event stream to open, with parameters and query as in an address. */
export type StreamRequest = {
  /** Id of a route that has events. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
};

/** Facts of an audit record: text, whole numbers, booleans, and lists and objects of them. */
export type AuditDetail = { readonly [name: string]: AuditValue };
export type AuditValue = string | number | boolean | readonly AuditValue[] | AuditDetail;

/** Answers one route: the JSON body, a text, or the address to go to. Throws `ConsoleError`. */
export type Handler<R extends Route> = (
  input: RouteInput<R>,
  call: Call,
) => RouteAnswer<R> | Promise<RouteAnswer<R>>;

/** One handler for each named route. */
export type Handlers<Id extends RouteId = RouteId> = { readonly [I in Id]: Handler<RouteOf<I>> };
