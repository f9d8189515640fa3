import { useQuery } from '@tanstack/react-query';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { Board } from '../../components/judged/board.tsx';
import { JudgedRow, JudgedRows } from '../../components/judged/judged-row.tsx';
import { outcomes, outcomesText, worstOutcomeFirst } from '../../components/judged/outcomes.ts';
import { ShareFigure } from '../../components/judged/share-figure.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import { measuresQuery } from './measures-query.ts';

const everyMs = 30_000;

/** Shows the platform's self-assessment: each category from its evidence, one remediation for each that fails. */
export function MeasuresPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...measuresQuery(target), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Measures"
      sub="The platform judged from what the console can read"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <ClusterRead query={query} what="Measures" board skeleton={<SkeletonRows rows={8} />}>
        {({ categories, outcomes: counts }) => (
          <Board>
            <ReadingNotices
              query={query}
              saidElsewhere={(reason) => categories.some(({ title }) => reason.startsWith(`${title}: `))}
            />
            <Panel title="Categories" sub={outcomesText(counts)}>
              <JudgedRows label="Categories">
                {worstOutcomeFirst(categories).map((category) => (
                  <JudgedRow
                    key={category.id}
                    {...outcomes[category.outcome]}
                    title={category.title}
                    finding={category.finding}
                    next={category.remediation}
                    counted={category.counted}
                    evidence={category.evidence}
                    figure={<ShareFigure share={category.share} />}
                  />
                ))}
              </JudgedRows>
            </Panel>
          </Board>
        )}
      </ClusterRead>
    </Page>
  );
}
