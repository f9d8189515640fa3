/** What a layout needs of a node and of a flow. */
type Named = { readonly id: string };
type Joined = { readonly from: string; readonly to: string };

/** Where a node is drawn: its top left corner, in pixels. */
export type Placed<Node> = { readonly node: Node; readonly x: number; readonly y: number };

export type GraphLayout<Node> = {
  readonly nodes: readonly Placed<Node>[];
  readonly width: number;
  readonly height: number;
};

export const boxWidth = 172;
export const boxHeight = 44;
const columnGap = 64;
const rowGap = 12;

/**
 * Places nodes in columns, each right of what flows into it (longest path; a circle is cut where it closes), and within
 * a column near what they are joined with, by one pass of barycentres (Sugiyama). The same for the same graph.
 */
export function layoutOf<Node extends Named>(
  nodes: readonly Node[],
  edges: readonly Joined[],
): GraphLayout<Node> {
  const columns = columnsOf(nodes, edges);
  const rows = new Map<string, number>();
  const placed: Placed<Node>[] = [];
  let height = 0;
  for (const [index, column] of columns.entries()) {
    const before = new Map(
      column.map(({ id }, n) => [id, barycentre(id, edges, rows) ?? (index === 0 ? n : column.length)]),
    );
    const ordered = [...column].sort((a, b) => (before.get(a.id) ?? 0) - (before.get(b.id) ?? 0));
    for (const [row, node] of ordered.entries()) {
      rows.set(node.id, row);
      const y = row * (boxHeight + rowGap);
      placed.push({ node, x: index * (boxWidth + columnGap), y });
      height = Math.max(height, y + boxHeight);
    }
  }
  return {
    nodes: placed,
    width: Math.max(0, columns.length * (boxWidth + columnGap) - columnGap),
    height,
  };
}

function columnsOf<Node extends Named>(nodes: readonly Node[], edges: readonly Joined[]): Node[][] {
  const into = new Map<string, string[]>();
  for (const { from, to } of edges) into.set(to, [...(into.get(to) ?? []), from]);
  const depths = new Map<string, number>();
  const depthOf = (id: string, path: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const below = new Set(path).add(id);
    const sources = (into.get(id) ?? []).filter((from) => !below.has(from));
    const depth = Math.max(0, ...sources.map((from) => depthOf(from, below) + 1));
    depths.set(id, depth);
    return depth;
  };
  const columns: Node[][] = [];
  for (const node of nodes) {
    const depth = depthOf(node.id, new Set());
    columns[depth] ??= [];
    columns[depth].push(node);
  }
  return Array.from(columns, (column) => column ?? []);
}

/** Mean row of the nodes left of it that flow into it. */
function barycentre(
  id: string,
  edges: readonly Joined[],
  rows: ReadonlyMap<string, number>,
): number | undefined {
  const sources = edges.flatMap(({ from, to }) => (to === id && rows.has(from) ? [rows.get(from) ?? 0] : []));
  return sources.length === 0 ? undefined : sources.reduce((sum, row) => sum + row, 0) / sources.length;
}
