import { builtInOf } from './built-in-kinds.ts';
import { groupVersion } from './object-fields.ts';
import { fieldSelector, labelSelector, type Matches } from './selectors.ts';
import { badRequest, expired, failure } from './status.ts';
import type { KubeKind, KubeObject, World } from './world.ts';

/** A page of a list. */
export type Page = {
  readonly items: readonly KubeObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
};

/** Lists that are read page by page: what comes after must be of the same moment. */
export type OpenLists = {
  page(world: World, kind: KubeKind, namespace: string | undefined, query: URLSearchParams): Promise<Page>;
  /** Forgets them, as a real server does after about 5 minutes: their continue tokens answer 410. */
  expire(): void;
};

/** Lists of which pages may still be asked; the oldest go. */
const mostOpen = 64;

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

export function createOpenLists(): OpenLists {
  const open = new Map<string, readonly KubeObject[]>();
  return {
    expire: () => open.clear(),
    async page(world, kind, namespace, query) {
      const matches = selection(kind, query);
      const limit = countOf(query, 'limit');
      const token = continuation(query.get('continue'));
      const name = (revision: number): string =>
        `${revision} ${groupVersion(kind)}/${kind.plural} ${namespace}`;
      if (token === undefined) checkRevision(query, world.revision());
      // An inconsistent token (revision 0) goes on in what is there now.
      const revision = token === undefined || token.rv === 0 ? world.revision() : token.rv;
      const kept = open.get(name(revision));
      if (token !== undefined && token.rv !== 0 && kept === undefined)
        throw expired(tooOld, tokenText({ rv: 0, start: token.start }));
      const all = kept ?? (await world.list(kind, namespace));
      const rest = token === undefined ? all : all.slice(firstAfter(all, token.start));
      const selected = matches === undefined ? rest : rest.filter(matches);
      const resourceVersion = String(revision);
      if (limit === 0 || selected.length <= limit) return { items: selected, metadata: { resourceVersion } };
      open.set(name(revision), all);
      const [oldest] = open.keys();
      if (open.size > mostOpen && oldest !== undefined) open.delete(oldest);
      const items = selected.slice(0, limit);
      const last = items.at(-1);
      return {
        items,
        metadata: {
          resourceVersion,
          ...(last === undefined ? {} : { continue: tokenText({ rv: revision, start: sortKeyOf(last) }) }),
          ...(matches === undefined ? { remainingItemCount: selected.length - limit } : {}),
        },
      };
    },
  };
}

/** Returns a predicate for the selectors of a query; undefined when it selects everything. */
export function selection(kind: KubeKind, query: URLSearchParams): Matches | undefined {
  const labels = query.get('labelSelector') ?? '';
  const fields = query.get('fieldSelector') ?? '';
  const parts = [
    ...(labels === '' ? [] : [labelSelector(labels)]),
    ...(fields === '' ? [] : [fieldSelector(kind, fields)]),
  ];
  return parts.length === 0 ? undefined : (object) => parts.every((matches) => matches(object));
}

/** A whole number of a query, 0 when absent. Throws a Status for anything else. */
export function countOf(query: URLSearchParams, name: string): number {
  const value = query.get(name) ?? '';
  if (value === '') return 0;
  if (!/^\d+$/.test(value))
    throw badRequest(`strconv.ParseInt: parsing "${value}": invalid syntax (${name})`);
  return Number(value);
}

/** The list as it is written: items of built-in kinds do not repeat their kind, those of custom kinds do. */
export function listBody(kind: KubeKind, page: Page): object {
  return {
    kind: `${kind.kind}List`,
    apiVersion: groupVersion(kind),
    metadata: page.metadata,
    items: builtInOf(kind) === undefined ? page.items : page.items.map(withoutKind),
  };
}

function withoutKind({ apiVersion: _version, kind: _kind, ...rest }: KubeObject): object {
  return rest;
}

type Continuation = { readonly rv: number; readonly start: string };

function tokenText({ rv, start }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start: `${start}\u0000` })).toString(
    'base64url',
  );
}

function continuation(text: string | null): Continuation | undefined {
  if (text === null || text === '') return undefined;
  try {
    const token: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (
      typeof token === 'object' &&
      token !== null &&
      'rv' in token &&
      'start' in token &&
      typeof token.rv === 'number' &&
      typeof token.start === 'string'
    )
      return { rv: token.rv, start: token.start.replace(/\0$/, '') };
  } catch {
    // Told below, with everything else that is no token.
  }
  throw badRequest('invalid continue token: continue key is not valid: it is not one that this server gave');
}

function sortKeyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Index of the first object behind a place; the place itself may be gone. */
function firstAfter(all: readonly KubeObject[], key: string): number {
  const [namespace = '', name = ''] = key.split('/');
  const index = all.findIndex(({ metadata }) => {
    const own = metadata.namespace ?? '';
    return own > namespace || (own === namespace && metadata.name > name);
  });
  return index === -1 ? all.length : index;
}

function checkRevision(query: URLSearchParams, current: number): void {
  const requested = revisionOf(query);
  if (requested === undefined || requested === 0) return;
  if (requested > current)
    throw failure({
      code: 504,
      reason: 'Timeout',
      message: `Too large resource version: ${requested}, current: ${current}`,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version', field: '' }],
        retryAfterSeconds: 1,
      },
    });
  if (query.get('resourceVersionMatch') === 'Exact' && requested < current)
    throw expired(`The resourceVersion for the provided list is too old.`);
}

/** The revision a query names; undefined without one. Throws a Status for an invalid one. */
export function revisionOf(query: URLSearchParams): number | undefined {
  const value = query.get('resourceVersion') ?? '';
  if (value === '') return undefined;
  if (!/^\d+$/.test(value)) throw badRequest(`invalid resource version "${value}"`);
  return Number(value);
}
