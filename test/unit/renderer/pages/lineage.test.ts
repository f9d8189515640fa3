import { describe, expect, it } from 'vitest';
import {
  graphColumns,
  graphEdges,
  graphHeight,
} from '../../../../src-renderer/pages/lineage/graph-layout.ts';
import {
  imageState,
  shippedState,
  unreadEnd,
  wayLabel,
  worstFirst,
} from '../../../../src-renderer/pages/lineage/lineage-labels.ts';
import { parseCommit } from '../../../../src-renderer/pages/lineage/parse-commit.ts';
import { imageOf, reviews, someImages } from '../../../browser/answers/lineage-answers.ts';

const sha = '4f1c9ae0'.repeat(5);
const whole = imageOf('harbour', {}, { where: 'In the registry', parts: reviews });
const failed = imageOf(
  'quay',
  { built: 'failed', registry: 'not_reached' },
  { where: 'Stopped at the build' },
);

describe('the commit somebody asks about', () => {
  it('is a commit id of 7 characters at least, in any case, or one in an address of the code host', () => {
    expect(parseCommit(' 4F1C9AE\n')).toEqual({ sha: '4f1c9ae' });
    const host = 'https://code.example/northgate/harbour';
    for (const page of [
      `/commit/${sha}`,
      `/commits/${sha}`,
      `/pull/12/commits/${sha}`,
      `/blob/${sha}/a/b.ts#L3`,
      `/commit/${sha}.patch`,
    ])
      expect(parseCommit(`${host}${page}`)).toEqual({ sha, repo: 'harbour' });
  });

  it('is none in what is too short, is no id, or is an address of something else', () => {
    for (const text of ['', '4f1c9a', 'not-a-sha', 'https://code.example/northgate/harbour/pull/12'])
      expect(parseCommit(text)).toBeUndefined();
  });
});

describe('steps that were read of no image', () => {
  it('are said once, together with images that have not come that far', () => {
    expect(unreadEnd([whole, failed])).toEqual({
      steps: ['rolled', 'running'],
      label: 'Rolled out and running not read',
      reason: 'no cluster is attached',
    });
  });

  it('are not said once when an image has been read further, or for different reasons', () => {
    const [first, ...rest] = whole.steps.toReversed();
    if (first === undefined) throw new Error('an image has steps');
    const refused = { ...whole, steps: [...rest.toReversed(), { ...first, detail: 'forbidden' }] };
    expect(unreadEnd([whole, refused])).toBeUndefined();
    const running = { ...whole, steps: [...rest.toReversed(), { ...first, state: 'done' as const }] };
    expect(unreadEnd([whole, running])).toBeUndefined();
    expect(unreadEnd([])).toBeUndefined();
    expect(unreadEnd([failed])).toBeUndefined();
  });

  it('do not make an image that is otherwise done look unread', () => {
    expect(imageState(whole, unreadEnd([whole]))).toBe('done');
    expect(imageState(whole, undefined)).toBe('not_read');
  });
});

describe('the graph of an image', () => {
  it('has a column for each step, and one for the unread end', () => {
    const columns = graphColumns(whole, unreadEnd([whole]), false);
    expect(columns.map(({ title, span, nodes }) => [title, span, nodes.length])).toEqual([
      ['Merged', 1, 1],
      ['Agents', 1, 3],
      ['Built', 1, 1],
      ['Registry', 1, 1],
      ['Rolled out, Running', 2, 1],
    ]);
    expect(columns[1]?.tally).toBe('3 of 3');
  });

  it('shows steps as not reached, not as unread, for an image that has not come that far', () => {
    const columns = graphColumns(failed, unreadEnd([whole, failed]), false);
    expect(columns.map(({ nodes }) => nodes[0]?.state)).toEqual([
      'done',
      'done',
      'failed',
      'not_reached',
      'not_reached',
      'not_reached',
    ]);
  });

  it('leads each line to the middle of its node, in the way of what it leads to', () => {
    const columns = graphColumns(whole, unreadEnd([whole]), false);
    const [merged, agents, , registry, end] = columns;
    if (!merged || !agents || !registry || !end) throw new Error('five columns were expected');
    const height = graphHeight(columns);
    expect(height).toBe(164);
    expect(graphEdges(merged, agents, height).map(({ from, to }) => [from, to])).toEqual([
      [82, 24],
      [82, 82],
      [82, 140],
    ]);
    expect(graphEdges(registry, end, height).map(({ state }) => state)).toEqual(['not_read']);
  });

  it('joins nodes of one name where both columns have several', () => {
    const [first] = graphColumns(whole, undefined, false).slice(1);
    if (first === undefined) throw new Error('agents are a column');
    expect(graphEdges(first, first, 164)).toHaveLength(3);
  });

  it('folds what is past the sixth part, keeps the failed one in sight, and unfolds it', () => {
    const parts = Array.from({ length: 11 }, (_, index) => ({
      name: `Review ${index}`,
      state: index === 9 ? ('failed' as const) : ('done' as const),
      detail: 'ended',
    }));
    const many = imageOf('many', { agents: 'failed' }, { where: '', parts });
    const nodes = graphColumns(many, undefined, false)[1]?.nodes ?? [];
    expect(nodes[0]).toMatchObject({ title: 'Review 9', state: 'failed' });
    expect(nodes.at(-1)).toMatchObject({ title: '6 more', detail: 'all done', folded: 6 });
    expect(graphColumns(many, undefined, true)[1]?.nodes).toHaveLength(11);
  });
});

describe('an image and a commit in words', () => {
  it('puts the gravest images first', () => {
    const { images } = someImages();
    const names = worstFirst(images, unreadEnd(images)).map(({ repo }) => repo);
    expect(names.slice(0, 3)).toEqual(['cockpit-api', 'operator-console', 'vllm-large']);
    expect(names.slice(-2)).toEqual(['campaign-worker', 'ttsd']);
  });

  it('does not call an image stopped that came past what failed', () => {
    const past = imageOf('past', { agents: 'failed' }, { where: 'In the registry; rollout not read' });
    expect(imageState(past, unreadEnd([past]))).toBe('done');
    expect(imageState(failed, unreadEnd([past, failed]))).toBe('failed');
  });

  it('says how long the way took, and nothing before it is built', () => {
    expect(wayLabel(whole)).toBe('merge to registry 42 min');
    expect(wayLabel(failed)).toBeUndefined();
  });

  it('never says of what was not read that it did not ship', () => {
    expect(shippedState({ shipped: 'yes', images: [whole] }).label).toBe('Shipped');
    expect(shippedState({ shipped: 'no', rolled_out: { workloads: 3, of: 5 }, images: [whole] })).toEqual({
      state: 'working',
      label: '3 of 5',
    });
    expect(shippedState({ shipped: 'unknown', images: [failed] }).label).toBe('Not read');
    expect(shippedState({ images: [] }).label).toBe('Not read');
    expect(shippedState({ shipped: 'no', images: [failed] })).toEqual({ state: 'failing', label: 'Stopped' });
    const moving = imageOf('berth', { built: 'moving' }, { where: 'Building' });
    expect(shippedState({ shipped: 'no', images: [moving] }).label).toBe('Not yet');
  });
});
