import type { AnyRequest, AnyResponse } from './protocols.ts';
import { RouteRefused } from './refusals.ts';

/** One of the few routes of a backend that are not gRPC. */
export type PlainRoute = {
  readonly method: 'GET' | 'POST';
  /** A path, or one that ends in `/*`: what stands for the star is `rest`, still percent-encoded. */
  readonly path: string;
  /** May throw `RouteRefused`; what else it throws is logged and answered with 500. */
  answer(request: AnyRequest, response: AnyResponse, rest: string): void | Promise<void>;
};

/**
 * The route for a path, and how it answers; undefined when no route has that path. HEAD is answered as GET, whose body Node leaves out.
 * Throws `RouteRefused` (405) for another method on a known path (RFC 9110, 15.5.6).
 */
export function routeFor(
  routes: readonly PlainRoute[],
  method: string,
  path: string,
):
  | { readonly route: string; answer(request: AnyRequest, response: AnyResponse): void | Promise<void> }
  | undefined {
  const here = routes.flatMap((route) => {
    const rest = restOf(route.path, path);
    return rest === undefined ? [] : [{ route, rest }];
  });
  if (here.length === 0) return undefined;
  const found = here.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method));
  if (found !== undefined)
    return {
      route: found.route.path,
      answer: (request, response) => found.route.answer(request, response, found.rest),
    };
  const allowed = here.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
  throw new RouteRefused(405, `${path} takes ${allowed}, not ${method}.`, { allow: allowed });
}

function restOf(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('/*')) return pattern === path ? '' : undefined;
  const start = pattern.slice(0, -1);
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length) : undefined;
}
