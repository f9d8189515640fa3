import type { RouteId, RouteOf } from './index.ts';
import type { Route, RouteAnswer, RouteInput } from './route.ts';

/** Who is asking, as the console established it; nothing here comes from the request's own words. */
export type Caller = {
  /** Signed-in email; undefined without a session. */
  readonly email: string | undefined;
  /** Handle of the session; undefined without one. */
  readonly sessionId: string | undefined;
};

/** One call of a route: who asks, and what a handler may need of the HTTP around it. */
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
};

/** Answers one route: the JSON body, a text, or the address to go to. Throws `ConsoleError`. */
export type Handler<R extends Route> = (
  input: RouteInput<R>,
  call: Call,
) => RouteAnswer<R> | Promise<RouteAnswer<R>>;

/** One handler for each named route. */
export type Handlers<Id extends RouteId = RouteId> = { readonly [I in Id]: Handler<RouteOf<I>> };
