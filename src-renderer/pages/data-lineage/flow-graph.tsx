import { useMemo } from 'react';
import css from './data-lineage-page.module.css';
import type { DataLineageAnswer } from './data-lineage-query.ts';
import { boxHeight, boxWidth, layoutOf } from './graph-layout.ts';

type Graph = Pick<DataLineageAnswer, 'nodes' | 'edges'>;
type Edge = Graph['edges'][number];

const kinds: Readonly<Record<Graph['nodes'][number]['kind'], string>> = {
  tenant: 'Tenant',
  connection: 'Connection',
  instance: 'Instance',
  observed: 'Reported only',
};

const lookOf = ({ declared, observed }: Edge) =>
  observed === undefined ? 'declared' : declared ? 'both' : 'observed';

/** Draws the topology from left to right. The table of flows below it says the same in words. */
export function FlowGraph({ nodes, edges }: Graph) {
  const layout = useMemo(() => layoutOf(nodes, placing(nodes, edges)), [nodes, edges]);
  const at = new Map(layout.nodes.map((placed) => [placed.node.id, placed]));
  return (
    <>
      <ul className={css.legend} aria-label="Kinds of flows">
        <li data-look="both">Declared and observed</li>
        <li data-look="declared">Declared, nothing observed</li>
        <li data-look="observed">Observed, not declared</li>
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the window is scrolled by the arrow keys. */}
      <section className={css.scroller} aria-label="Graph of data flows" tabIndex={0}>
        <div className={css.graph} style={{ width: layout.width, height: layout.height }}>
          <svg width={layout.width} height={layout.height} aria-hidden="true">
            {edges.map((edge) => {
              const from = at.get(edge.from);
              const to = at.get(edge.to);
              if (from === undefined || to === undefined) return null;
              return (
                <path
                  key={`${edge.from} ${edge.to} ${edge.kind}`}
                  data-look={lookOf(edge)}
                  d={curve(from, to)}
                />
              );
            })}
          </svg>
          {layout.nodes.map(({ node, x, y }) => (
            <div
              key={node.id}
              className={css.node}
              data-kind={node.kind}
              title={node.id}
              style={{ left: x, top: y, width: boxWidth, height: boxHeight }}
            >
              <b>{node.title}</b>
              <span>{[kinds[node.kind], node.type].filter(Boolean).join(', ')}</span>
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

/** The flows that nodes are placed by: what was only observed goes either way, and would draw declared nodes out of line. */
function placing(nodes: Graph['nodes'], edges: Graph['edges']): Graph['edges'] {
  const reported = new Set(nodes.flatMap(({ id, kind }) => (kind === 'observed' ? [id] : [])));
  return edges.filter(({ declared, from, to }) => declared || reported.has(from) || reported.has(to));
}

type Corner = { readonly x: number; readonly y: number };

/** A curve between the sides of two boxes that face each other; within a column, around its right side. */
function curve(from: Corner, to: Corner): string {
  const y1 = from.y + boxHeight / 2;
  const y2 = to.y + boxHeight / 2;
  const [x1, x2] =
    to.x > from.x ? [from.x + boxWidth, to.x] : [to.x < from.x ? from.x : from.x + boxWidth, to.x + boxWidth];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  const [out, back] = to.x < from.x ? [-bend, bend] : [bend, to.x === from.x ? bend : -bend];
  return `M${x1} ${y1}C${x1 + out} ${y1} ${x2 + back} ${y2} ${x2} ${y2}`;
}
