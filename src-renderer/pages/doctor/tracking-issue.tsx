import { OutLink } from '../../components/out-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import css from './doctor-page.module.css';
import type { DoctorAnswer } from './doctor-query.ts';

/** The issue in which the doctor writes down what it finds. */
export function TrackingIssue({ answer: { tracking_issue, complete } }: { readonly answer: DoctorAnswer }) {
  return (
    <Panel title="Tracking issue">
      {tracking_issue === undefined ? (
        <p className={css.quiet}>
          {complete ? 'None: no open issue has the doctor’s label.' : 'Not read; the reason is shown above.'}
        </p>
      ) : (
        <div className={css.issue}>
          <p className={css.issueTitle}>
            {tracking_issue.title} <span>#{tracking_issue.number}</span>
          </p>
          <p className={css.line}>
            <Tag>{tracking_issue.repo}</Tag>
            <Tag>{tracking_issue.state}</Tag>
            <span>
              changed <TimeAgo at={Date.parse(tracking_issue.updated_at)} />
            </span>
          </p>
          <OutLink href={tracking_issue.url}>Open the issue on the code host</OutLink>
        </div>
      )}
    </Panel>
  );
}
