import type { LineageFlow, LineageNode } from '#shared/api/data-lineage.ts';
import type { LineageEdgeRow } from './store.ts';

/** A connection as the registry of connections declares it. */
export type DeclaredConnection = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly tenant: string;
};

/** An instance as its custom resource declares it. */
export type DeclaredInstance = {
  readonly name: string;
  readonly namespace: string;
  readonly tenant: string | undefined;
};

/** Topology and flows, each node and edge once. */
export type Topology = { readonly nodes: LineageNode[]; readonly edges: LineageFlow[] };

/**
 * Joins what is declared (a tenant owns its connections, its instances read them) with what apps observed. Nodes that
 * only reports name are `observed`; a reported node is a declared one when it has its ID (`connection:orders`).
 */
export function topologyOf(
  connections: readonly DeclaredConnection[],
  instances: readonly DeclaredInstance[],
  observed: readonly LineageEdgeRow[],
): Topology {
  const nodes = new Map<string, LineageNode>();
  const edges = new Map<string, LineageFlow>();
  const addTenant = (tenant: string): string => {
    const id = `tenant:${tenant}`;
    if (!nodes.has(id)) nodes.set(id, { id, kind: 'tenant', title: tenant });
    return id;
  };
  const declare = (from: string, to: string, kind: string): void => {
    edges.set(edgeKey(from, to, kind), { from, to, kind, declared: true });
  };

  const connectionIds = new Map<string, string[]>();
  // The name alone where it is unique: apps know a connection by it, and rarely its tenant.
  const named = Map.groupBy(connections, ({ name }) => name);
  for (const { name, type, tenant } of connections) {
    const id = named.get(name)?.length === 1 ? `connection:${name}` : `connection:${tenant}/${name}`;
    nodes.set(id, { id, kind: 'connection', title: name, tenant, type });
    declare(addTenant(tenant), id, 'owns');
    connectionIds.set(tenant, [...(connectionIds.get(tenant) ?? []), id]);
  }
  for (const { name, namespace, tenant } of instances) {
    const id = `instance:${namespace}/${name}`;
    nodes.set(id, {
      id,
      kind: 'instance',
      title: name,
      namespace,
      ...(tenant === undefined ? {} : { tenant }),
    });
    if (tenant === undefined) continue;
    declare(addTenant(tenant), id, 'runs');
    for (const connection of connectionIds.get(tenant) ?? []) declare(connection, id, 'serves');
  }
  for (const row of observed) {
    for (const id of [row.from_node, row.to_node])
      if (!nodes.has(id)) nodes.set(id, { id, kind: 'observed', title: id });
    const key = edgeKey(row.from_node, row.to_node, row.kind);
    const known = edges.get(key) ?? {
      from: row.from_node,
      to: row.to_node,
      kind: row.kind,
      declared: isDeclared(edges, row),
    };
    edges.set(key, { ...known, observed: observedBy(known.observed, row) });
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** Whether any declared relation joins the two nodes of a reported flow, in either direction. */
function isDeclared(
  edges: ReadonlyMap<string, LineageFlow>,
  { from_node, to_node }: LineageEdgeRow,
): boolean {
  return (
    edges.get(edgeKey(from_node, to_node, 'serves'))?.declared === true ||
    edges.get(edgeKey(to_node, from_node, 'serves'))?.declared === true
  );
}

function observedBy(
  before: LineageFlow['observed'],
  row: LineageEdgeRow,
): NonNullable<LineageFlow['observed']> {
  const lastSeen = Math.max(row.last_seen, before === undefined ? 0 : Date.parse(before.last_seen));
  const apps = new Set(before?.apps ?? []);
  if (row.app !== '') apps.add(row.app);
  return {
    count: (before?.count ?? 0) + row.count,
    last_seen: new Date(lastSeen).toISOString(),
    apps: [...apps].sort(),
  };
}

const edgeKey = (from: string, to: string, kind: string): string => JSON.stringify([from, to, kind]);
