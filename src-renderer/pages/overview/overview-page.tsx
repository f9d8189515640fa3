import { useQuery } from '@tanstack/react-query';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { loadPart } from '../../core/load-part.tsx';
import { useReading } from '../../core/reading.tsx';
import { useCurrentTarget, useTargets } from '../../core/target-queries.ts';
import { AttentionList } from './attention-list.tsx';
import { InstancesPanel } from './instances-panel.tsx';
import { attentionLabel } from './overview-labels.ts';
import css from './overview-page.module.css';
import { dashboardQuery } from './overview-queries.ts';
import { RunsPanel } from './runs-panel.tsx';
import { SignInsPanel } from './sign-ins-panel.tsx';
import { SummaryStrip } from './summary-strip.tsx';
import { useRecentRuns } from './use-recent-runs.ts';
import { useSettledAttention } from './use-settled-attention.ts';
import { WorkloadsPanel } from './workloads-panel.tsx';

const FirstRun = loadPart(async () => (await import('./first-run.tsx')).FirstRun);

/** Refresh interval of the overview while the page is visible, in milliseconds; changes arrive sooner. */
const everyMs = 10_000;

/** The same while the first diagnosis of a target runs, whose end comes by itself and may be missed. */
const soonMs = 1_000;

/** Shows what needs attention, and the state of everything tracked. */
export function OverviewPage() {
  const named = useClusterTarget();
  const targets = useTargets();
  // Nothing was ever chosen and nothing can be: the first thing to do is to say what to look at.
  const { data } = targets;
  const nothing = data !== undefined && data.chosen === undefined;
  if (nothing && (named === undefined || data.items.length === 0)) return <FirstRun targets={data} />;
  return <Board target={named} />;
}

function Board({ target }: { readonly target: string | undefined }) {
  const { every } = useReading();
  const current = useCurrentTarget();
  const query = useQuery({
    ...dashboardQuery(target),
    refetchInterval: ({ state }) =>
      every(state.data?.diagnosis !== undefined && state.data.diagnosis.at === undefined ? soonMs : everyMs),
  });
  const runs = useRecentRuns();
  const { data } = query;
  const { items, newer } = useSettledAttention(target, data);
  const name = current.target?.name ?? current.id;
  const sub =
    data === undefined || data.source === 'unavailable' || items === undefined
      ? (name ?? '')
      : [name, attentionLabel(items.length)].filter((part) => part !== undefined).join(', ');
  return (
    <Page
      title="Overview"
      sub={sub}
      actions={<ReadingCoverage reading={data} />}
      above={
        // While nothing was read yet, too: what is below does not move when the figures come.
        data?.source === 'unavailable' || (data === undefined && query.error !== null) ? undefined : (
          <SummaryStrip answer={data} runs={runs} target={target} />
        )
      }
    >
      <div className={css.board}>
        <div className={css.main}>
          <ClusterRead query={query} what="Workloads" board skeleton={<SkeletonRows rows={10} />}>
            {(answer) => (
              <>
                <ReadingNotices query={query} />
                <AttentionList
                  items={items}
                  newer={newer}
                  complete={answer.complete}
                  diagnosis={answer.diagnosis}
                  target={target}
                />
                <WorkloadsPanel answer={answer} target={target} />
              </>
            )}
          </ClusterRead>
        </div>
        <div className={css.side}>
          <RunsPanel runs={runs} />
          {data !== undefined && data.source !== 'unavailable' && (
            <InstancesPanel answer={data} target={target} />
          )}
          <SignInsPanel />
        </div>
      </div>
    </Page>
  );
}
