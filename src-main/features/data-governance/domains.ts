import type { DataDomain } from '#shared/api/data-governance.ts';
import { compareText } from '#shared/text.ts';
import type { ConnectionStructure } from './routes.ts';

type Connection = Pick<ConnectionStructure, 'id' | 'name' | 'type' | 'tenant'>;

/** Parts of names that say what a thing is or where it runs, not what its data is about. */
const generic = new Set(
  'api app backup conn connection data database datalake datastore db dev lake main new old primary prd prod production read reader readonly replica secondary shared source src stage staging standby store stg test warehouse write writer'.split(
    ' ',
  ),
);

/**
 * Clusters connections into data domains: by a part of their names that at least two of them share, what is left by
 * tenant, and what stands alone there by type. The same for the same connections, in whatever order they come.
 */
export function domainsOf(connections: readonly Connection[]): DataDomain[] {
  const parts = new Map(connections.map((each) => [each.id, partsOf(each)]));
  const shared = new Map<string, number>();
  for (const part of [...parts.values()].flat()) shared.set(part, (shared.get(part) ?? 0) + 1);

  const named = Map.groupBy(connections, ({ id }) => mostShared(parts.get(id) ?? [], shared));
  const unnamed = named.get(undefined) ?? [];
  named.delete(undefined);
  const byTenant = Map.groupBy(unnamed, ({ tenant }) => tenant);
  const alone = [...byTenant.values()].filter((own) => own.length === 1).flat();

  const domains = [
    ...[...named].map(([name, own]) => domain('naming', name ?? '', own)),
    ...[...byTenant]
      .filter(([, own]) => own.length > 1)
      .map(([tenant, own]) => domain('tenant', tenant, own)),
    ...[...Map.groupBy(alone, ({ type }) => type)].map(([type, own]) => domain('type', type, own)),
  ];
  return domains.sort(
    (a, b) =>
      b.connections.length - a.connections.length || compareText(a.name, b.name) || compareText(a.by, b.by),
  );
}

function domain(by: DataDomain['by'], name: string, own: readonly Connection[]): DataDomain {
  const connections = [...own]
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id))
    .map(({ id, name, type, tenant }) => ({ id, name, type, tenant }));
  return {
    name,
    by,
    connections,
    tenants: distinct(own.map(({ tenant }) => tenant)),
    types: distinct(own.map(({ type }) => type)),
    evidence: connections.map((each) => evidenceOf(by, name, each)),
  };
}

function evidenceOf(by: DataDomain['by'], value: string, { name, tenant, type }: Connection): string {
  if (by === 'naming') return `${name}: "${value}" is a part of its name.`;
  return by === 'tenant' ? `${name}: belongs to tenant ${tenant}.` : `${name}: is of type ${type}.`;
}

/** The parts of a name that may say what its data is about, each once: words of three letters or more. */
function partsOf({ name, type, tenant }: Connection): string[] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const own = new Set([type.toLowerCase(), tenant.toLowerCase()]);
  return distinct(words.filter((word) => word.length > 2 && !generic.has(word) && !own.has(word)));
}

/** The part that most connections share, at least two; of equal ones the first by alphabet. */
function mostShared(parts: readonly string[], shared: ReadonlyMap<string, number>): string | undefined {
  const [best] = parts
    .filter((part) => (shared.get(part) ?? 0) > 1)
    .sort((a, b) => (shared.get(b) ?? 0) - (shared.get(a) ?? 0) || compareText(a, b));
  return best;
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort(compareText);
