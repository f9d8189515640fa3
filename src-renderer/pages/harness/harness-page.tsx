import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HarnessFinding } from '#shared/api/intelligence.ts';
import { counted } from '#shared/text.ts';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Board } from '../../components/judged/board.tsx';
import { JudgedRow, JudgedRows } from '../../components/judged/judged-row.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useAllowlist } from '../../core/access.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import type { StateName } from '../../core/state-name.ts';
import { ActDialog } from './act-dialog.tsx';
import css from './harness-page.module.css';
import { harnessQuery } from './harness-query.ts';

const everyMs = 30_000;

const severities: Readonly<
  Record<HarnessFinding['severity'], { readonly state: StateName; readonly label: string }>
> = {
  critical: { state: 'failing', label: 'Critical' },
  warning: { state: 'degraded', label: 'Warning' },
  info: { state: 'idle', label: 'Info' },
};

type Acted = NonNullable<HarnessFinding['acted']>;

const actedStates: Readonly<Record<Acted['state'], { readonly state: StateName; readonly label: string }>> = {
  acting: { state: 'working', label: 'Under way' },
  done: { state: 'healthy', label: 'Done' },
  failed: { state: 'failing', label: 'Failed' },
  refused: { state: 'degraded', label: 'Refused' },
  unknown: { state: 'unknown', label: 'Unknown: look' },
};

/** Shows what fails among measures and controls, worst first, with its next step and what can be done from here. */
export function HarnessPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...harnessQuery(target), refetchInterval: every(everyMs) });
  // What the person was shown is kept with the question: what is acted on is what they saw.
  const [asking, setAsking] = useState<HarnessFinding>();
  return (
    <Page
      title="Harness"
      sub="What fails among measures and controls"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <ClusterRead query={query} what="Findings" board skeleton={<SkeletonRows rows={8} />}>
        {({ items, complete }) => (
          <Board>
            <ReadingNotices query={query} />
            {items.length === 0 ? (
              <FailurePanel state={complete ? 'healthy' : 'unknown'} label="None" title="Nothing fails">
                <p>
                  {complete
                    ? 'Every measure and control that could be judged passes.'
                    : 'Nothing that could be judged fails. Measures and Compliance name what is unmeasured.'}
                </p>
              </FailurePanel>
            ) : (
              <Panel title="Findings" sub={counted(items.length, 'finding')}>
                <JudgedRows label="Findings">
                  {items.map((finding) => (
                    <JudgedRow
                      key={finding.id}
                      {...severities[finding.severity]}
                      title={finding.title}
                      finding={finding.finding}
                      next={finding.remediation}
                      counted={finding.counted}
                      evidence={finding.evidence}
                      figure={<ActButton finding={finding} onAsk={setAsking} />}
                    >
                      {finding.acted !== undefined && <ActedNote acted={finding.acted} />}
                    </JudgedRow>
                  ))}
                </JudgedRows>
              </Panel>
            )}
          </Board>
        )}
      </ClusterRead>
      {asking?.action !== undefined && (
        <ActDialog
          finding={asking}
          action={asking.action}
          target={target}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Page>
  );
}

function ActButton({
  finding,
  onAsk,
}: {
  readonly finding: HarnessFinding;
  readonly onAsk: (finding: HarnessFinding) => void;
}) {
  const { data } = useAllowlist('CONSOLE_SESSION_ADMINS');
  const { action, acted, title } = finding;
  if (action === undefined) return <span className={css.people}>For people</span>;
  // The outcome of this revision is kept: to ask again would do nothing.
  const isKept = acted !== undefined && acted.state !== 'failed' && acted.state !== 'refused';
  if (isKept && acted.state !== 'acting') return null;
  const mayNot = data?.member === false ? 'It needs membership of CONSOLE_SESSION_ADMINS.' : undefined;
  return (
    <Button
      disabled={mayNot !== undefined || isKept}
      title={mayNot}
      aria-label={`${action.title}: ${title}`}
      onClick={() => onAsk(finding)}
    >
      {action.title}
    </Button>
  );
}

function ActedNote({ acted }: { readonly acted: Acted }) {
  return (
    <p className={css.acted}>
      <State {...actedStates[acted.state]} />
      <span>
        {acted.sentence} Asked for by {acted.by}, <TimeAgo at={Date.parse(acted.at)} />.
      </span>
    </p>
  );
}
