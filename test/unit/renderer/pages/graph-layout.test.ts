import { describe, expect, it } from 'vitest';
import { boxHeight, layoutOf } from '../../../../src-renderer/pages/data-lineage/graph-layout.ts';

const nodes = (...ids: string[]) => ids.map((id) => ({ id }));
const edge = (from: string, to: string) => ({ from, to });

describe('the layout of data lineage', () => {
  it('puts every node right of what flows into it', () => {
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('a', 'c'), edge('d', 'c')];
    const { nodes: placed } = layoutOf(nodes('c', 'd', 'b', 'a'), edges);
    const x = new Map(placed.map(({ node, x: left }) => [node.id, left]));
    for (const { from, to } of edges) expect(x.get(from) ?? 0).toBeLessThan(x.get(to) ?? 0);
  });

  it('places every node once without overlap, circles and flows to oneself included', () => {
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'c'), edge('x', 'c')];
    const { nodes: placed, height } = layoutOf(nodes('a', 'b', 'c', 'x', 'lone'), edges);
    expect(placed.map(({ node }) => node.id).sort()).toEqual(['a', 'b', 'c', 'lone', 'x']);
    expect(new Set(placed.map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
    expect(Math.max(...placed.map(({ y }) => y)) + boxHeight).toBe(height);
  });

  it('is the same for the same graph, and empty for none', () => {
    const graph = [nodes('a', 'b', 'c'), [edge('a', 'c'), edge('b', 'c')]] as const;
    expect(layoutOf(...graph)).toEqual(layoutOf(...graph));
    expect(layoutOf([], [])).toEqual({ nodes: [], width: 0, height: 0 });
  });
});
