import type { RunOutcomeRow } from './store.ts';

/** One ended attempt of a delivering run, as the series holds it. */
export type DeliveryAttempt = Pick<
  RunOutcomeRow,
  'repo' | 'workflow' | 'sha' | 'run_id' | 'attempt' | 'committed_at' | 'ended_at'
> & { readonly state: 'success' | 'failure' };

/** Something that happened at `at` (epoch ms) and took `seconds`. */
export type Took = { readonly at: number; readonly seconds: number };

/** One delivery: a commit through a workflow, with all its attempts. */
export type Delivered = {
  /** End of its first attempt, epoch ms. */
  readonly at: number;
  /** Time of the first success. */
  readonly succeededAt: number | undefined;
  /** Time of the first failure; a later attempt that succeeds does not undo it. */
  readonly failedAt: number | undefined;
  /** It failed, and then succeeded without a new commit. */
  readonly flaky: boolean;
  /** From the commit to its first success. */
  readonly leadTime: Took | undefined;
};

/** The deliveries that attempts make up. The order of the attempts does not matter. */
export function deliveriesOf(attempts: readonly DeliveryAttempt[]): Delivered[] {
  const groups = Map.groupBy(attempts.toSorted(inTime), ({ repo, workflow, sha }) =>
    JSON.stringify([repo, workflow, sha]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const success = group.find(({ state }) => state === 'success');
    const failure = group.findIndex(({ state }) => state === 'failure');
    return [
      {
        at: first.ended_at,
        succeededAt: success?.ended_at,
        failedAt: group[failure]?.ended_at,
        flaky: failure !== -1 && group.slice(failure).some(({ state }) => state === 'success'),
        leadTime: leadTimeOf(success),
      },
    ];
  });
}

function leadTimeOf(success: DeliveryAttempt | undefined): Took | undefined {
  if (success === undefined || success.committed_at === null) return undefined;
  // The author's clock sets the commit's time, and may be ahead of the code host's.
  const ms = Math.max(0, success.ended_at - success.committed_at);
  return { at: success.ended_at, seconds: ms / 1000 };
}

/**
 * Returns the times from the first failure of a repository's workflow to its next success; a failure that
 * still lasts has none.
 */
export function restoresOf(attempts: readonly DeliveryAttempt[]): Took[] {
  const restores: Took[] = [];
  const failing = new Map<string, number>();
  for (const { repo, workflow, state, ended_at } of attempts.toSorted(inTime)) {
    const key = JSON.stringify([repo, workflow]);
    const since = failing.get(key);
    if (state === 'failure') {
      if (since === undefined) failing.set(key, ended_at);
    } else if (since !== undefined) {
      restores.push({ at: ended_at, seconds: (ended_at - since) / 1000 });
      failing.delete(key);
    }
  }
  return restores;
}

/** Sorts attempts by end; those of the same millisecond in the code host's numbering. */
function inTime(a: DeliveryAttempt, b: DeliveryAttempt): number {
  return a.ended_at - b.ended_at || a.run_id - b.run_id || a.attempt - b.attempt;
}

/**
 * Returns the value below which the share `q` of the values lies, interpolated between neighbours; undefined
 * for none.
 */
export function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (position - Math.floor(position));
}
