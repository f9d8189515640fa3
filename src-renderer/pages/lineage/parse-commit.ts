import { repositoryName } from '#shared/api/reading.ts';
import { readAddress } from '../../core/address.ts';

/** A commit somebody asks about, and its repository where they said it. */
export type AskedCommit = { readonly sha: string; readonly repo?: string };

const commitId = /^[0-9a-f]{7,64}$/;
/** Pages of the code host whose address names a commit: its own, in a pull request, and files and folders at it. */
const commitPage =
  /^\/[^/]+\/([^/]+)\/(?:(?:commits?|tree|blob)|pull\/\d+\/commits)\/([0-9a-f]{7,64})(?:[/.]|$)/;

/** The commit in what was written or pasted: an id, 7 characters at least, or an address; undefined when there is none. */
export function parseCommit(written: string): AskedCommit | undefined {
  const text = written.trim();
  const id = text.toLowerCase();
  if (commitId.test(id)) return { sha: id };
  const [, repo = '', sha = ''] = commitPage.exec(readAddress(text)?.pathname ?? '') ?? [];
  if (sha === '' || !repositoryName.safeParse(repo).success) return undefined;
  return { sha, repo };
}
