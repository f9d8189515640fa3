import { useQuery } from '@tanstack/react-query';
import { counted } from '#shared/text.ts';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import css from './data-lineage-page.module.css';
import { dataLineageQuery } from './data-lineage-query.ts';
import { FlowGraph } from './flow-graph.tsx';
import { FlowTable } from './flow-table.tsx';

const everyMs = 15_000;

/** Nodes of a drawing that can still be read. */
const mostDrawn = 120;

/** Shows what is declared to read which data, and what apps saw flowing. */
export function DataLineagePage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...dataLineageQuery(target), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Data lineage"
      sub="Which data reaches whom: as declared, and as apps observed it"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <ClusterRead query={query} what="Data flows" board skeleton={<SkeletonRows rows={8} />}>
        {({ nodes, edges }) => (
          <div className={css.board}>
            <ReadingNotices query={query} />
            {edges.length === 0 ? (
              <FailurePanel state="idle" label="Empty" title="No data flows yet">
                <p>
                  Flows come from the connections of tenants and their instances, and from apps that report to{' '}
                  <code>/api/data-lineage/edges</code>.
                </p>
              </FailurePanel>
            ) : (
              <>
                <Panel title="Topology" sub={counted(nodes.length, 'node')}>
                  {nodes.length > mostDrawn ? (
                    <p className={css.quiet}>Too many nodes to draw. The table below lists every flow.</p>
                  ) : (
                    <FlowGraph nodes={nodes} edges={edges} />
                  )}
                </Panel>
                <FlowTable edges={edges} />
              </>
            )}
          </div>
        )}
      </ClusterRead>
    </Page>
  );
}
