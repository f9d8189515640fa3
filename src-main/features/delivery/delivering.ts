import type { Repository, WorkflowRun } from '../../sources/code-host/index.ts';
import type { RecentRuns } from '../runs/index.ts';

/** Page size of the code host's list of a repository's runs: a list this long may have been cut short. */
export const runsInAList = 100;

const deliveringEvents = new Set(['push', 'release', 'workflow_dispatch', 'repository_dispatch']);

/** A workflow that delivers, with the runs that show it: newest first, without those that were skipped. */
export type DeliveringWorkflow = {
  readonly repository: Repository;
  readonly name: string;
  readonly runs: readonly [WorkflowRun, ...WorkflowRun[]];
};

/** Returns whether a run delivers: on the default branch by push, dispatch or release, and no agent's. */
export function delivers({ defaultBranch }: Repository, run: WorkflowRun): boolean {
  return (
    run.family === 'other' &&
    deliveringEvents.has(run.event) &&
    // The code host names the tag as the branch of a release.
    (run.event === 'release' || run.branch === defaultBranch)
  );
}

/** The workflow's file, without the `@ref` of one that another repository requires. */
export function workflowFile({ path }: Pick<WorkflowRun, 'path'>): string {
  return path.split('@', 1)[0] ?? path;
}

/** Newest first: a run that is tried again keeps its place, because its commit is no newer. */
function newestFirst(a: WorkflowRun, b: WorkflowRun): number {
  return b.createdAt.localeCompare(a.createdAt) || b.id - a.id;
}

/** Returns only the newest run of each workflow. */
export function newestOfEach(runs: readonly WorkflowRun[]): WorkflowRun[] {
  const newest = new Map<string, WorkflowRun>();
  for (const run of runs.toSorted(newestFirst)) {
    const file = workflowFile(run);
    if (!newest.has(file)) newest.set(file, run);
  }
  return [...newest.values()];
}

/** Every workflow that delivers among the runs that were read, by repository and name. */
export function deliveringWorkflows({ repos }: Pick<RecentRuns, 'repos'>): DeliveringWorkflow[] {
  return repos.flatMap(({ repository, runs }) => {
    const ran = runs.filter((run) => delivers(repository, run) && run.state !== 'skipped');
    const byFile = Map.groupBy(ran.toSorted(newestFirst), workflowFile);
    return [...byFile.values()]
      .flatMap(([newest, ...older]) =>
        newest === undefined
          ? []
          : [{ repository, name: newest.name, runs: [newest, ...older] } satisfies DeliveringWorkflow],
      )
      .toSorted((a, b) => a.name.localeCompare(b.name));
  });
}

/** Returns repositories for which it is unknown whether they deliver: they have more runs than were read. */
export function undecided({ repos }: Pick<RecentRuns, 'repos'>): string[] {
  return repos
    .filter(({ repository, runs, hasOlder }) => hasOlder && !runs.some((run) => delivers(repository, run)))
    .map(
      ({ repository, runs }) =>
        `None of the newest ${runs.length} runs of ${repository.name} delivers; older ones were not read.`,
    );
}
