import css from './commit-id.module.css';
import { CopyIcon } from './copy-icon.tsx';

/** The first characters of a commit's id: what people say and the code host shows. */
export const shortSha = (sha: string): string => sha.slice(0, 7);

type CommitIdProps = {
  readonly sha: string;
  /** Its page on the code host. */
  readonly url?: string | undefined;
  readonly copy?: boolean;
};

/** A commit: short, in full on hover, and copied in full. */
export function CommitId({ sha, url, copy = true }: CommitIdProps) {
  const short = <code title={sha}>{shortSha(sha)}</code>;
  return (
    <span className={css.commit}>
      {url === undefined ? (
        short
      ) : (
        <a href={url} target="_blank" rel="noreferrer">
          {short}
        </a>
      )}
      {copy && <CopyIcon text={() => sha} label={`Copy the commit id ${shortSha(sha)}`} />}
    </span>
  );
}
