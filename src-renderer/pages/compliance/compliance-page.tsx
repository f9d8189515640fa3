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
import { type ComplianceAnswer, complianceQuery } from './compliance-query.ts';

const everyMs = 30_000;

type Control = ComplianceAnswer['controls'][number];

const areas: Readonly<Record<Control['area'], string>> = {
  access_control: 'Access control',
  audit: 'Audit',
  encryption: 'Encryption',
  backup: 'Backup',
  isolation: 'Isolation',
  ownership: 'Ownership',
};

/** Shows each control with its evidence; there is no score. */
export function CompliancePage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...complianceQuery(target), refetchInterval: every(everyMs) });
  const { data } = query;
  return (
    <Page
      title="Compliance"
      sub={data === undefined ? 'Controls and their evidence' : outcomesText(data.outcomes)}
      actions={<ReadingCoverage reading={data} />}
    >
      <ClusterRead query={query} what="Controls" board skeleton={<SkeletonRows rows={8} />}>
        {({ controls }) => (
          <Board>
            <ReadingNotices query={query} saidElsewhere={isOfControl(controls)} />
            {byArea(controls).map(({ area, own }) => (
              <Panel key={area} title={areas[area]} sub={outcomesOf(own)}>
                <JudgedRows label={`Controls of ${areas[area].toLowerCase()}`}>
                  {worstOutcomeFirst(own).map((control) => (
                    <JudgedRow
                      key={control.id}
                      {...outcomes[control.outcome]}
                      title={control.title}
                      finding={control.finding}
                      counted={control.counted}
                      evidence={control.evidence}
                      figure={<ShareFigure share={control.share} />}
                    />
                  ))}
                </JudgedRows>
              </Panel>
            ))}
          </Board>
        )}
      </ClusterRead>
    </Page>
  );
}

function byArea(controls: readonly Control[]) {
  const names = [...new Set(controls.map(({ area }) => area))];
  return names.map((area) => ({ area, own: controls.filter((each) => each.area === area) }));
}

/** What is unmeasured is said at its control. */
const isOfControl = (controls: readonly Control[]) => (reason: string) =>
  controls.some(({ title }) => reason.startsWith(`${title}: `));

function outcomesOf(controls: readonly Control[]): string {
  const of = (outcome: Control['outcome']) => controls.filter((each) => each.outcome === outcome).length;
  return outcomesText({ pass: of('pass'), fail: of('fail'), unmeasured: of('unmeasured') });
}
