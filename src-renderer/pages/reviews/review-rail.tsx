import { type Ref, useRef } from 'react';
import { capitalised } from '#shared/text.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { isUnderWay, runStates } from '../../components/run-state.ts';
import { Spoken } from '../../components/spoken.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useHref } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import type { StateName } from '../../core/state-name.ts';
import { changeOf, gravestFirst, severities } from './review-labels.ts';
import type { ReviewGroup, ReviewRow } from './review-list.ts';
import css from './review-rail.module.css';
import { type ReviewsView, reviewsAddress } from './reviews-address.ts';
import type { ReviewsAnswer } from './reviews-queries.ts';

type ReviewRailProps = {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly groups: readonly ReviewGroup[];
  readonly answer: ReviewsAnswer;
  readonly view: ReviewsView;
  /** Type and repository of the open review. */
  readonly openKey: string | undefined;
  readonly onNarrow: (change: ReviewsView, how?: 'push' | 'replace') => void;
};

/** The newest review of each type and repository, and what narrows them. */
export function ReviewRail({ inputRef, groups, answer, view, openKey, onNarrow }: ReviewRailProps) {
  const types = [...new Set(answer.items.map(({ type }) => type))].sort();
  const repos = [...new Set(answer.items.map(({ repo }) => repo))].sort();
  const list = useRef<HTMLDivElement>(null);
  useOneStop(list);
  return (
    <nav className={css.rail} aria-label="Reviews">
      <search className={css.filter} aria-label="Filter the reviews">
        <TextFilter
          ref={inputRef}
          label="Filter reviews"
          value={view.q ?? ''}
          onChange={(q) => onNarrow({ q: q === '' ? undefined : q }, 'replace')}
        />
        <div className={css.chips}>
          <ChoiceChip
            name="Type"
            everything="any"
            value={view.type}
            choices={types}
            shown={capitalised}
            format={capitalised}
            onChange={(type) => onNarrow({ type })}
          />
          <ChoiceChip
            name="Repository"
            everything="any"
            value={view.repo}
            choices={repos}
            onChange={(repo) => onNarrow({ repo })}
          />
        </div>
      </search>
      <div ref={list} className={css.groups}>
        {groups.map(({ type, rows }) => (
          <section key={type} aria-label={`${capitalised(type)} reviews`}>
            <h2 className={css.heading}>
              {capitalised(type)} <span>{rows.length}</span>
            </h2>
            <ul>
              {rows.map((row) => (
                <li key={row.review.run_id}>
                  <Row
                    row={row}
                    open={`${row.review.type} ${row.review.repo}` === openKey}
                    view={view}
                    onOpen={() => onNarrow({ run: row.review.run_id, posted: false })}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

type RowProps = {
  readonly row: ReviewRow;
  readonly open: boolean;
  readonly view: ReviewsView;
  readonly onOpen: () => void;
};

function Row({ row, open, view, onOpen }: RowProps) {
  const { review, found } = row;
  const href = useHref();
  const { state, label } = signOf(row);
  return (
    <a
      className={css.row}
      href={href(reviewsAddress({ ...view, run: review.run_id, posted: false }))}
      aria-current={open ? 'true' : undefined}
      onClick={(event) => {
        if (openedByPlainClick(event)) onOpen();
      }}
    >
      <Glyph state={state} />
      <Spoken>{`${label}: `}</Spoken>
      <span className={css.name} title={review.title}>
        {review.repo} <span>{changeOf(review)}</span>
      </span>
      <span className={css.sub}>
        <em data-state={state}>{found}</em>, <TimeAgo at={Date.parse(review.started)} />
      </span>
    </a>
  );
}

/** The row's shape: of the gravest finding, or of the run where that says more. */
function signOf({ review, findings }: ReviewRow): { readonly state: StateName; readonly label: string } {
  if (isUnderWay(review.state)) return runStates[review.state];
  const gravest = gravestFirst.find((severity) => findings?.some((finding) => finding.severity === severity));
  if (gravest !== undefined && gravest !== 'note')
    return { state: severities[gravest].state, label: capitalised(severities[gravest].many) };
  if (review.state !== 'success') return runStates[review.state];
  if (findings === undefined && review.findings_count === undefined)
    return { state: 'unknown', label: 'Not read' };
  return runStates.success;
}
