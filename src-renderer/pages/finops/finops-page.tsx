import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allocation } from '#shared/api/fleet.ts';
import { counted } from '#shared/text.ts';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { AllocationPanel } from './allocation-panel.tsx';
import { compute, resources } from './compute.ts';
import css from './finops-page.module.css';
import { type FinopsAnswer, finopsQuery } from './finops-query.ts';
import { WholePanel } from './whole-panel.tsx';

const everyMs = 30_000;

/** Shows who requests how much of the cluster's compute, and how much is unrequested. */
export function FinopsPage() {
  const [{ type }, go] = usePageAddress();
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...finopsQuery(target), refetchInterval: every(everyMs) });
  const resource = resources.find((known) => known === type) ?? 'cpu';
  const rows = query.data === undefined ? [] : exportRows(query.data);
  const here = target !== undefined && { target };
  return (
    <Page
      title="FinOps"
      sub="Compute requested by pods, by initiative and by tenant"
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          {rows.length > 0 && (
            <ExportRows
              name="finops"
              label={`The ${rows.length} allocations`}
              fields={['by', ...allocation.keyof().options]}
              rows={rows}
            />
          )}
        </>
      }
    >
      <ClusterRead query={query} what="Allocations" board skeleton={<SkeletonRows rows={8} />}>
        {(answer) => (
          <div className={css.board}>
            <ReadingNotices query={query} />
            <WholePanel answer={answer} />
            <div className={css.bar}>
              <SegmentedControl
                aria-label="Resource"
                value={resource}
                data={resources.map((value) => ({ value, label: compute[value].name }))}
                onChange={(value) => go({ tab: 'finops', type: value, ...here }, 'replace')}
              />
              <p className={css.note}>
                Hours are requests times the age of the running pods. {pricedLabel(answer.pricing)}
              </p>
            </div>
            <div className={css.pair}>
              <AllocationPanel
                title="By initiative"
                label="initiative"
                allocations={answer.by_initiative}
                answer={answer}
                resource={resource}
              />
              <AllocationPanel
                title="By tenant"
                label="tenant"
                allocations={answer.by_tenant}
                answer={answer}
                resource={resource}
              />
            </div>
          </div>
        )}
      </ClusterRead>
    </Page>
  );
}

/** Most nodes that are named. */
const mostNamed = 5;

/** Returns which nodes have a price. */
function pricedLabel(pricing: FinopsAnswer['pricing']): string {
  if (pricing === undefined) return 'Not priced: nodes were not read.';
  const { priced_nodes: priced, unpriced_nodes: unpriced } = pricing;
  if (priced.length === 0) return 'Not priced: no asset in CapexService names a node of this cluster.';
  const nodes = counted(priced.length + unpriced.length, 'node');
  if (unpriced.length === 0) return `Costs are those of ${nodes}, from the assets that name them.`;
  const more = unpriced.length - mostNamed;
  return `Costs are those of ${priced.length} of ${nodes}, from the assets that name them; not priced: ${unpriced.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

const exportRows = ({ by_initiative, by_tenant }: Parameters<typeof WholePanel>[0]['answer']) => [
  ...by_initiative.map((row) => ({ by: 'initiative', ...row })),
  ...by_tenant.map((row) => ({ by: 'tenant', ...row })),
];
