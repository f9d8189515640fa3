import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Review, ReviewComment } from '#shared/api/runs.ts';
import { Banner } from '../../components/banner.tsx';
import { CodeSpans } from '../../components/code-spans.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { sentenceOf } from '../../core/failure.ts';
import css from './posted-comments.module.css';
import { verdictOf } from './review-labels.ts';
import { detailQuery } from './reviews-queries.ts';

type PostedCommentsProps = {
  readonly review: Review;
  /** Gaps of the review that are already shown above. */
  readonly said: readonly string[];
  readonly wanted: boolean;
  readonly onWanted: () => void;
};

/** Verdicts and comments on the reviewed change. Read when asked for: each costs reads of the code host. */
export function PostedComments({ review, said, wanted, onWanted }: PostedCommentsProps) {
  const detail = useQuery({ ...detailQuery(review), enabled: wanted });
  const { data, error } = detail;
  const missing = data?.unmeasured.filter((reason) => !said.includes(reason)) ?? [];
  return (
    <section className={css.posted} aria-label="Posted on the code host">
      <h3 className={css.heading}>
        Posted on the code host
        {data !== undefined && <span>{data.comments.length}</span>}
      </h3>
      {!wanted && (
        <p className={css.ask}>
          Verdicts and comments of agents and people on this change.
          <Button onClick={onWanted}>Read them</Button>
        </p>
      )}
      {wanted && data === undefined && error === null && (
        <>
          <SkeletonRows rows={2} />
          <Waiting label="Reading verdicts and comments" />
        </>
      )}
      {wanted && error !== null && (
        <Banner
          look="unread"
          icon={<Glyph state="unknown" />}
          title="Not read."
          action={
            <Button size="xs" onClick={() => detail.refetch()} loading={detail.isFetching}>
              Retry
            </Button>
          }
        >
          {sentenceOf(error)}
        </Banner>
      )}
      {wanted && data !== undefined && (
        <>
          {missing.length > 0 && (
            <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
              <WithCode>{missing.join(' ')}</WithCode>
            </Banner>
          )}
          {data.comments.length === 0 && missing.length === 0 && (
            <p className={css.ask}>Nothing was posted about this change.</p>
          )}
          <ol>
            {data.comments.map((comment) => (
              <li key={comment.url} className={css.comment}>
                <Comment comment={comment} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Comment({ comment }: { readonly comment: ReviewComment }) {
  const { kind, author, agent, path, line, body, url, at } = comment;
  return (
    <>
      <p className={css.line}>
        <b>{author}</b>
        {agent && <Tag>agent</Tag>}
        {kind === 'verdict' && <State {...verdictOf(comment)} />}
        {path !== undefined && (
          <code className={css.path}>{line === undefined ? path : `${path}:${line}`}</code>
        )}
        <span className={css.when}>
          <OutLink href={url}>
            <TimeAgo at={Date.parse(at)} />
          </OutLink>
        </span>
      </p>
      {body.trim() !== '' && (
        <p className={css.body}>
          <CodeSpans>{body}</CodeSpans>
        </p>
      )}
    </>
  );
}
