import { useRef } from 'react';
import type { LineageImage } from '#shared/api/delivery.ts';
import { CommitId } from '../../components/commit-id.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Panel } from '../../components/panel.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { type GraphColumn, graphColumns, graphEdges, graphHeight } from './graph-layout.ts';
import { GraphNodeBox } from './graph-node.tsx';
import css from './lineage-graph.module.css';
import { imageName, shortDigest, shortTag, type UnreadEnd, wayLabel } from './lineage-labels.ts';

type LineageGraphProps = {
  readonly image: LineageImage;
  readonly end: UnreadEnd | undefined;
  /** Which commit's path is shown, if one was requested. */
  readonly whose: 'asked' | 'newest' | undefined;
  readonly unfolded: boolean;
  readonly onUnfold: () => void;
};

/** One image's way from merge to running pod: six fixed columns, lines only from left to right. */
export function LineageGraph({ image, end, whose, unfolded, onUnfold }: LineageGraphProps) {
  const columns = graphColumns(image, end, unfolded);
  const height = graphHeight(columns);
  const graph = useRef<HTMLDivElement>(null);
  const walk = (event: React.KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const column = Number(event.target.dataset.column);
    const row = Number(event.target.dataset.row);
    const next = walked(columns, { column, row }, step);
    graph.current
      ?.querySelector<HTMLElement>(`[data-column="${next.column}"][data-row="${next.row}"]`)
      ?.focus();
  };
  const path = wayLabel(image);
  return (
    <Panel
      name={`Path of ${imageName(image.image)}`}
      title={
        <span className={css.name} title={image.image}>
          {imageName(image.image)}
        </span>
      }
      sub={<Facts image={image} />}
      tools={
        <>
          {whose === 'asked' && <Tag strong>the requested commit</Tag>}
          {whose === 'newest' && <Tag>its newest commit</Tag>}
          {path !== undefined && <span className={css.way}>{path}</span>}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the links inside it. */}
      <div ref={graph} className={css.graph} onKeyDown={walk}>
        {columns.map((column, index) => {
          const before = columns[index - 1];
          return [
            before !== undefined && (
              <Edges key={`to ${column.step}`} {...{ from: before, to: column, height }} />
            ),
            <div
              key={column.step}
              className={css.column}
              style={{ gridColumn: `span ${column.span * 2 - 1}` }}
            >
              <h3 className={css.head}>
                {column.title}
                <span className={css.tally}>
                  {column.tally}
                  {column.at !== undefined && <TimeAgo at={Date.parse(column.at)} />}
                </span>
              </h3>
              <ul className={css.nodes} style={{ height }}>
                {column.nodes.map((node, row) => (
                  <li key={node.key}>
                    <GraphNodeBox
                      node={node}
                      step={column.title}
                      column={index}
                      row={row}
                      first={index === 0 && row === 0}
                      onUnfold={onUnfold}
                    />
                  </li>
                ))}
              </ul>
            </div>,
          ];
        })}
      </div>
    </Panel>
  );
}

function Facts({ image }: { readonly image: LineageImage }) {
  const { tag, digest, sha, title, author } = image;
  return (
    <span className={css.facts}>
      {tag !== undefined && <code title={tag}>{shortTag(tag)}</code>}
      {digest !== undefined && (
        <span className={css.digest}>
          <code title={digest}>{shortDigest(digest)}</code>
          <CopyIcon text={() => `${image.image}@${digest}`} label="Copy the image with its digest" />
        </span>
      )}
      <CommitId sha={sha} url={image.steps[0]?.url} />
      <span className={css.commit} title={title}>
        {title}
        {author !== undefined && `, ${author}`}
      </span>
    </span>
  );
}

type EdgesProps = { readonly from: GraphColumn; readonly to: GraphColumn; readonly height: number };

/** Drawn as wide as the room between the columns is; the lines keep their width. */
function Edges({ from, to, height }: EdgesProps) {
  return (
    <svg
      className={css.edges}
      viewBox={`0 0 36 ${height}`}
      preserveAspectRatio="none"
      height={height}
      aria-hidden="true"
    >
      {graphEdges(from, to, height).map(({ key, from: a, to: b, state }) => (
        <path key={key} data-state={state} d={`M0 ${a}C18 ${a} 18 ${b} 36 ${b}`} />
      ))}
    </svg>
  );
}

type Spot = { readonly column: number; readonly row: number };

const steps: Readonly<Record<string, Spot>> = {
  ArrowLeft: { column: -1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  ArrowUp: { column: 0, row: -1 },
  ArrowDown: { column: 0, row: 1 },
};

/** Returns where an arrow key leads: along an edge to the next column, or within the column; at the border it stays. */
function walked(columns: readonly GraphColumn[], at: Spot, step: Spot): Spot {
  const column = Math.min(columns.length - 1, Math.max(0, at.column + step.column));
  const rows = columns[column]?.nodes.length ?? 1;
  if (column !== at.column) {
    const before = columns[at.column]?.nodes.length ?? 1;
    return { column, row: Math.min(rows - 1, Math.round(((at.row + 0.5) * rows) / before - 0.5)) };
  }
  return { column, row: Math.min(rows - 1, Math.max(0, at.row + step.row)) };
}
