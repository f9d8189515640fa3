import { useQuery } from '@tanstack/react-query';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import { DataFindings } from './data-findings.tsx';
import css from './governance-page.module.css';
import { governanceQuery } from './governance-query.ts';
import { NamespacePostures } from './namespace-postures.tsx';
import { OwnershipPanel } from './ownership-panel.tsx';

const everyMs = 30_000;

/** Shows who owns what, where credentials are kept, and how namespaces are guarded. */
export function GovernancePage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...governanceQuery(target), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Governance"
      sub="Ownership, credentials and the posture of namespaces"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <div className={css.board}>
        <ClusterRead query={query} what="Namespaces" board skeleton={<SkeletonRows rows={8} />}>
          {(answer) => (
            <>
              <ReadingNotices query={query} />
              <OwnershipPanel answer={answer} />
              <NamespacePostures namespaces={answer.namespaces} />
            </>
          )}
        </ClusterRead>
        <DataFindings />
      </div>
    </Page>
  );
}
