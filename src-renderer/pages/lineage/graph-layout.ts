import type { LineageImage, LineageStep, StepState } from '#shared/api/delivery.ts';
import { type StepName, stepStates, stepTitles, type UnreadEnd } from './lineage-labels.ts';

/** Pixels: the height of a node as its style has it, and from one node of a column to the next. */
const nodeHeight = 48;
const rhythm = 58;

/** Nodes of a column that are drawn; more are folded into one. */
const mostNodes = 6;

export type GraphNode = {
  readonly key: string;
  readonly state: StepState;
  readonly title: string;
  readonly detail: string;
  readonly at: string | undefined;
  readonly url: string | undefined;
  /** Number of parts it stands for, if they are folded. */
  readonly folded?: number;
};

export type GraphColumn = {
  readonly step: StepName;
  readonly title: string;
  /** Right side of its header: when it was done, or how many of its parts are. */
  readonly at: string | undefined;
  readonly tally: string | undefined;
  /** Number of the six columns it spans. */
  readonly span: number;
  readonly nodes: readonly GraphNode[];
};

/** A line from one node to another of the next column; `from` and `to` are heights in pixels. */
export type GraphEdge = {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly state: StepState;
};

/**
 * An image's way as columns. The unread end that all images share is one column, which says so once; of an image that
 * has not come that far, its steps are shown as not reached.
 */
export function graphColumns(
  image: LineageImage,
  end: UnreadEnd | undefined,
  unfolded: boolean,
): readonly GraphColumn[] {
  const [first] = end?.steps ?? [];
  const reached = image.steps.every(({ step, state }) => step !== first || state === 'not_read');
  if (end === undefined || first === undefined || !reached)
    return image.steps.map((step) => stepColumn(step, unfolded));
  const read = image.steps.filter(({ step }) => !end.steps.includes(step));
  const columns = read.map((step) => stepColumn(step, unfolded));
  const node = {
    key: first,
    state: 'not_read',
    title: end.label,
    detail: end.reason,
    at: undefined,
    url: undefined,
  } as const;
  const title = end.steps.map((step) => stepTitles[step]).join(', ');
  return [
    ...columns,
    { step: first, title, at: undefined, tally: undefined, span: end.steps.length, nodes: [node] },
  ];
}

function stepColumn(step: LineageStep, unfolded: boolean): GraphColumn {
  const parts = step.parts ?? [];
  const done = parts.filter(({ state }) => state === 'done').length;
  const nodes =
    parts.length === 0 ? [stepNode(step)] : foldedNodes(shortNames(parts.map(partNode(step.step))), unfolded);
  const tally = parts.length > 1 ? `${done} of ${parts.length}` : undefined;
  return {
    step: step.step,
    title: stepTitles[step.step],
    at: tally === undefined && step.state === 'done' ? step.at : undefined,
    tally,
    span: 1,
    nodes,
  };
}

function stepNode({ step, state, ref, detail, at, url }: LineageStep): GraphNode {
  return { key: step, state, title: ref ?? stepStates[state].label, detail, at, url };
}

type Part = NonNullable<LineageStep['parts']>[number];

const partNode =
  (step: StepName) =>
  ({ name, state, detail, at, url }: Part, index: number): GraphNode => {
    const workload = /^[A-Z]\w+ (\S+\/\S+)$/.exec(name)?.[1];
    return {
      key: `${step} ${index} ${name}`,
      state,
      // Where the boxes are narrow, names that all begin with their kind look the same.
      title: workload ?? name,
      detail: workload === undefined ? detail : `${detail} (${name})`,
      at,
      url,
    };
  };

/** Nodes by the names of their workloads, with the namespace where a name is there twice. */
function shortNames(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const shortOf = ({ title }: GraphNode): string => /^\S+\/(\S+)$/.exec(title)?.[1] ?? title;
  const names = nodes.map(shortOf);
  return nodes.map((node, index) => {
    const name = names[index] ?? node.title;
    return names.indexOf(name) === names.lastIndexOf(name) ? { ...node, title: name } : node;
  });
}

const gravestFirst: readonly StepState[] = ['failed', 'not_read', 'moving', 'not_reached', 'done'];

/** The nodes of a column, those past the sixth folded into one: the gravest stay in sight. */
function foldedNodes(nodes: readonly GraphNode[], unfolded: boolean): readonly GraphNode[] {
  if (unfolded || nodes.length <= mostNodes) return nodes;
  const ranked = [...nodes].sort((a, b) => gravestFirst.indexOf(a.state) - gravestFirst.indexOf(b.state));
  const rest = ranked.slice(mostNodes - 1);
  const state = rest[0]?.state ?? 'done';
  const alike = rest.every((node) => node.state === state);
  return [
    ...ranked.slice(0, mostNodes - 1),
    {
      key: 'folded',
      state,
      title: `${rest.length} more`,
      detail: alike ? `all ${stepStates[state].label.toLowerCase()}` : 'show them all',
      at: undefined,
      url: undefined,
      folded: rest.length,
    },
  ];
}

/** The height of the graph in pixels; three rows at least, so that going through images moves nothing below it. */
export function graphHeight(columns: readonly GraphColumn[]): number {
  return Math.max(3, ...columns.map(({ nodes }) => nodes.length)) * rhythm - (rhythm - nodeHeight);
}

/** The lines between two columns: to every node, or between nodes of one name where both columns have several. */
export function graphEdges(from: GraphColumn, to: GraphColumn, height: number): readonly GraphEdge[] {
  const pairs = from.nodes.flatMap((a) => to.nodes.map((b) => [a, b] as const));
  const named = pairs.filter(([a, b]) => a.title === b.title);
  const several = from.nodes.length > 1 && to.nodes.length > 1;
  return (several && named.length > 0 ? named : pairs).map(([a, b]) => ({
    key: `${a.key} ${b.key}`,
    from: middleOf(from, a, height),
    to: middleOf(to, b, height),
    state: edgeState(a.state, b.state),
  }));
}

function middleOf({ nodes }: GraphColumn, node: GraphNode, height: number): number {
  return height / 2 + (nodes.indexOf(node) - (nodes.length - 1) / 2) * rhythm;
}

/**
 * A line between what was not read is not known either, and one from what was not reached leads nowhere; otherwise it is
 * as what it leads to.
 */
export function edgeState(from: StepState, to: StepState): StepState {
  if (from === 'not_read' || to === 'not_read') return 'not_read';
  return from === 'not_reached' ? 'not_reached' : to;
}
