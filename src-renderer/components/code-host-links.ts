/** A run as the code host addresses it: its page is `<repository>/actions/runs/<number>`. */
type Linked = {
  readonly url?: string | undefined;
  readonly sha?: string | undefined;
  readonly pull_request?: number | undefined;
};

/** The page of a run's pull request; undefined when its address cannot be told from the run's. */
export const pullRequestUrl = (run: Linked): string | undefined => beside(run, 'pull', run.pull_request);

/** The page of the commit a run was on; undefined when its address cannot be told from the run's. */
export const commitUrl = (run: Linked): string | undefined => beside(run, 'commit', run.sha);

function beside({ url = '' }: Linked, what: string, which: string | number | undefined): string | undefined {
  const repository = /^(.*)\/actions\/runs\/\d+/.exec(url)?.[1];
  return repository === undefined || which === undefined ? undefined : `${repository}/${what}/${which}`;
}
