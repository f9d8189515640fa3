import { exactTime } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { Spoken } from '../../components/spoken.tsx';
import type { GraphNode } from './graph-layout.ts';
import css from './graph-node.module.css';
import { stepStates } from './lineage-labels.ts';

type GraphNodeBoxProps = {
  readonly node: GraphNode;
  /** The title of its column. */
  readonly step: string;
  readonly column: number;
  readonly row: number;
  /** The one that the Tab key comes to; the arrow keys lead on from there. */
  readonly first: boolean;
  readonly onUnfold: () => void;
};

/** One step or part of one: its state by shape, what stands for it, and a clause. It opens its page on the code host. */
export function GraphNodeBox({ node, step, column, row, first, onUnfold }: GraphNodeBoxProps) {
  const { state, label } = stepStates[node.state];
  const inside = (
    <>
      <span className={css.line}>
        {node.state === 'not_reached' ? (
          <span className={css.dot} aria-hidden="true" />
        ) : (
          <Glyph state={state} />
        )}
        <Spoken>{`${step}: `}</Spoken>
        <span className={css.title}>{node.title}</span>
        <Spoken>{`, ${label}. `}</Spoken>
      </span>
      <span className={css.detail}>{node.detail}</span>
    </>
  );
  const common = {
    className: css.node,
    'data-state': node.state,
    'data-column': column,
    'data-row': row,
    tabIndex: first ? 0 : -1,
    title: node.at === undefined ? node.detail : `${node.detail}, ${exactTime(Date.parse(node.at))}`,
  } as const;
  if (node.folded !== undefined) {
    return (
      <button type="button" {...common} onClick={onUnfold}>
        {inside}
      </button>
    );
  }
  if (node.url === undefined) {
    return (
      // It can be walked to like those with a page of their own: what it says is cut short to the eye.
      <div {...common}>{inside}</div>
    );
  }
  return (
    <a href={node.url} target="_blank" rel="noreferrer" {...common}>
      {inside}
    </a>
  );
}
