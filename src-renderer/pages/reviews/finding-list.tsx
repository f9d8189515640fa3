import type { Finding, Review } from '#shared/api/runs.ts';
import { capitalised } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { CodeSpans } from '../../components/code-spans.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { State } from '../../components/state.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { useHref } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './finding-list.module.css';
import {
  countsOf,
  formatCount,
  gravestFirst,
  groupsOf,
  lineLabel,
  severities,
  severityCount,
} from './review-labels.ts';
import { type ReviewsView, reviewsAddress } from './reviews-address.ts';
import type { ReviewAnswer } from './reviews-queries.ts';

type FindingListProps = {
  readonly answer: ReviewAnswer;
  readonly review: Review;
  readonly view: ReviewsView;
  readonly onNarrow: (change: ReviewsView) => void;
};

/** Lists a review's findings by severity, then by file. */
export function FindingList({ answer, review, view, onNarrow }: FindingListProps) {
  const { findings, complete, unmeasured } = answer;
  const href = useHref();
  const counts = countsOf(findings);
  const shown = findings.filter(({ severity }) => view.severity === undefined || severity === view.severity);
  const choices = [undefined, ...gravestFirst.filter((severity) => counts[severity] > 0)];
  return (
    <section aria-label="Findings">
      <div className={css.bar}>
        {choices.map((severity) => (
          <a
            key={severity ?? 'all'}
            className={css.choice}
            href={href(reviewsAddress({ ...view, run: review.run_id, severity }))}
            aria-current={view.severity === severity ? 'true' : undefined}
            onClick={(event) => {
              if (openedByPlainClick(event)) onNarrow({ run: review.run_id, severity });
            }}
          >
            {severity !== undefined && <Glyph state={severities[severity].state} />}
            {severity === undefined
              ? `All ${formatCount(findings.length)}`
              : severityCount(severity, counts[severity])}
          </a>
        ))}
      </div>
      {!complete && (
        <div className={css.notice}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
            <WithCode>{unmeasured.join(' ')}</WithCode>
          </Banner>
        </div>
      )}
      {groupsOf(shown).map(({ severity, files }) => (
        <section key={severity} aria-label={capitalised(severities[severity].many)}>
          <h3 className={css.severity}>
            <State state={severities[severity].state} label={capitalised(severities[severity].many)} />
            <span>{counts[severity]}</span>
          </h3>
          {files.map(({ path, findings: inFile }) => (
            <section
              key={path}
              className={css.file}
              aria-label={`${capitalised(severities[severity].many)} in ${path}`}
            >
              <h4 className={css.path}>
                <code>{path}</code>
                <CopyIcon text={() => path} label={`Copy the path ${path}`} />
              </h4>
              {inFile.map((finding, index) => (
                <FindingEntry key={`${finding.line ?? 0} ${finding.title} ${index}`} finding={finding} />
              ))}
            </section>
          ))}
        </section>
      ))}
      {shown.length === 0 && view.severity !== undefined && (
        <p className={css.none}>None of the {formatCount(findings.length)} is of this severity.</p>
      )}
    </section>
  );
}

function FindingEntry({ finding }: { readonly finding: Finding }) {
  const to = lineLabel(finding);
  const line = finding.line === undefined ? 'The file' : `Line ${to.slice(finding.path.length + 1)}`;
  return (
    <div className={css.finding}>
      <p className={css.where}>
        {finding.url === undefined ? <span>{line}</span> : <OutLink href={finding.url}>{line}</OutLink>}
        <CopyIcon text={() => to} label={`Copy ${to}`} />
      </p>
      <div className={css.words}>
        <h5 className={css.title}>{finding.title}</h5>
        <p className={css.body}>
          <CodeSpans>{finding.body}</CodeSpans>
        </p>
      </div>
    </div>
  );
}
