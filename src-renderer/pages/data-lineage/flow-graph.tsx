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
  const layout = useMemo(() => layoutOf(nodes, edges), [nodes, edges]);
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
                  d={curve(from.x + boxWidth, from.y + boxHeight / 2, to.x, to.y + boxHeight / 2)}
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

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
