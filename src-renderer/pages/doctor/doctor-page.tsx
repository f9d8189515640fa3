import { useQuery } from '@tanstack/react-query';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import css from './doctor-page.module.css';
import { doctorQuery } from './doctor-query.ts';
import { DoctorRuns } from './doctor-runs.tsx';
import { DoctorState } from './doctor-state.tsx';
import { TrackingIssue } from './tracking-issue.tsx';

const everyMs = 10_000;

/** The ops doctor: how it is, when it runs, what its last runs came to, and the issue it keeps. */
export function DoctorPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...doctorQuery(target), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Doctor"
      sub="The agent that looks after the platform itself"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <ClusterRead query={query} what="Runs of the doctor" board skeleton={<SkeletonRows rows={8} />}>
        {(answer) => (
          <div className={css.board}>
            <ReadingNotices query={query} />
            {answer.workload === undefined ? (
              <div className={css.none}>
                <FailurePanel
                  state={answer.complete ? 'idle' : 'unknown'}
                  label={answer.complete ? 'Not found' : 'Not read'}
                  title={
                    answer.complete ? 'This cluster has no ops doctor' : 'No ops doctor in the data read'
                  }
                >
                  <p>
                    The doctor is a CronJob named <code>ops-doctor</code>, or with the label{' '}
                    <code>platform.dev/agent: ops-doctor</code>.
                  </p>
                </FailurePanel>
              </div>
            ) : (
              <>
                <div className={css.pair}>
                  <DoctorState answer={answer} />
                  <TrackingIssue answer={answer} />
                </div>
                <DoctorRuns runs={answer.last_runs} />
              </>
            )}
          </div>
        )}
      </ClusterRead>
    </Page>
  );
}
