import type { Rendering } from './render-basics.ts';
import type { Organisation, SandboxRepository } from './world.ts';

/** The result of an operation, before it is written as HTTP. */
export type Answer = {
  readonly status: number;
  /** JSON, or text of the type in `type`. */
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** One request, as far as operations need it. */
export type Call = {
  readonly rendering: Rendering;
  /** Path below the API, without query. */
  readonly path: string;
  /** The parts of the path that the operation's pattern names, decoded. */
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly body: unknown;
  /** Epoch ms. */
  readonly now: number;
};

/** A call within a repository that the caller may read. */
export type RepositoryCall = Call & { readonly org: Organisation; readonly repo: SandboxRepository };

export function json(body: unknown, status = 200): Answer {
  return { status, body };
}

/** An error as the code host writes them. `docs`: page of its documentation. */
export function problem(status: number, message: string, docs = 'rest'): Answer {
  return {
    status,
    body: { message, documentation_url: `https://docs.github.com/${docs}`, status: String(status) },
  };
}

export const notFound = (docs?: string): Answer => problem(404, 'Not Found', docs);

/**
 * One page of a list by `page` and `per_page` (30, at most 100), and the `Link` header that leads to the others.
 * `address`: of the list, without query.
 */
export function paged<T>(
  call: Call,
  items: readonly T[],
  address = `${call.rendering.url}${call.path}`,
): { shown: readonly T[]; headers: Record<string, string> } {
  const perPage = Math.min(whole(call.query.get('per_page')) ?? 30, 100);
  const page = whole(call.query.get('page')) ?? 1;
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const link = (to: number, rel: string): string => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(to));
    return `<${address}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    shown: items.slice((page - 1) * perPage, page * perPage),
    headers: links.length === 0 ? {} : { link: links.join(', ') },
  };
}

function whole(value: string | null): number | undefined {
  return value !== null && /^[1-9]\d{0,6}$/.test(value) ? Number(value) : undefined;
}
