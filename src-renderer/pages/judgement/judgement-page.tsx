import { useQuery } from '@tanstack/react-query';
import { counted } from '#shared/text.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Board, Counted } from '../../components/judged/board.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import type { StateName } from '../../core/state-name.ts';
import { type JudgementAnswer, judgementQuery, type VerdictFilter } from './judgement-query.ts';

const everyMs = 30_000;

type Finding = JudgementAnswer['items'][number];

const verdicts: Readonly<Record<VerdictFilter, { readonly state: StateName; readonly label: string }>> = {
  confirmed: { state: 'failing', label: 'Confirmed' },
  undecided: { state: 'degraded', label: 'Undecided' },
  none: { state: 'unknown', label: 'Not judged' },
  rejected: { state: 'idle', label: 'Rejected' },
};
const order: readonly VerdictFilter[] = ['confirmed', 'undecided', 'none', 'rejected'];

const labelOf = (choice: string): string => {
  const known = order.find((each) => each === choice);
  return known === undefined ? choice : verdicts[known].label;
};

const verdictOf = ({ judgement }: Finding): VerdictFilter => judgement?.verdict ?? 'none';

const columns: readonly TableColumn<Finding>[] = [
  {
    id: 'verdict',
    title: 'Verdict',
    width: 120,
    value: (finding) => verdicts[verdictOf(finding)].label,
    rank: (finding) => order.indexOf(verdictOf(finding)),
    cell: (finding) => <State {...verdicts[verdictOf(finding)]} />,
  },
  {
    id: 'finding',
    title: 'Finding',
    wraps: true,
    value: ({ title }) => title,
    cell: ({ title, url }) => (url === undefined ? title : <OutLink href={url}>{title}</OutLink>),
  },
  {
    id: 'reason',
    title: "Judge's reason",
    wraps: true,
    from: 760,
    value: ({ judgement }) => judgement?.reason,
  },
  { id: 'severity', title: 'Severity', width: 96, quiet: true, from: 900, value: ({ severity }) => severity },
  { id: 'platform', title: 'Platform', width: 120, value: ({ platform }) => platform },
  {
    id: 'submitted',
    title: 'Submitted',
    width: 104,
    value: ({ submitted_at }) => submitted_at,
    cell: ({ submitted_at }) => <TimeAgo at={Date.parse(submitted_at)} />,
  },
  {
    id: 'judged',
    title: 'Judged',
    width: 104,
    from: 620,
    value: ({ judgement }) => judgement?.judged_at,
    cell: ({ judgement }) =>
      judgement === undefined ? 'not yet' : <TimeAgo at={Date.parse(judgement.judged_at)} />,
  },
];

/** Shows the findings of external platforms with the judge agent's verdicts on them. */
export function JudgementPage() {
  const [{ outcome }, go] = usePageAddress();
  const verdict = order.find((each) => each === outcome);
  const { every } = useReading();
  const query = useQuery({ ...judgementQuery(verdict), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Judgement"
      sub="Findings of external platforms, and the judge's verdicts"
      actions={<ReadingCoverage reading={query.data} />}
      above={
        <ChoiceChip
          name="Verdict"
          everything="all"
          value={verdict}
          choices={order}
          shown={labelOf}
          format={labelOf}
          onChange={(next) => go({ tab: 'judgement', ...(next !== undefined && { outcome: next }) })}
        />
      }
    >
      <SourceRead query={query} what="Findings" board skeleton={<SkeletonRows rows={8} />}>
        {({ items }) => (
          <Board>
            <ReadingNotices query={query} />
            {items.length === 0 ? (
              <Nothing filtered={verdict !== undefined} />
            ) : (
              <Panel title="Findings" sub={verdictCounts(items)}>
                <PanelTable
                  id="judgement"
                  label="Submitted findings"
                  columns={columns}
                  rows={items}
                  keyOf={({ platform, id }) => `${platform} ${id}`}
                />
                <Counted>
                  The newest verdict of the judge agent counts. A verdict in a submission is discarded, so a
                  finding that the judge has not looked at is not judged, whatever its platform says.
                </Counted>
              </Panel>
            )}
          </Board>
        )}
      </SourceRead>
    </Page>
  );
}

function verdictCounts(items: readonly Finding[]): string {
  const present = order.flatMap((verdict) => {
    const count = items.filter((finding) => verdictOf(finding) === verdict).length;
    return count === 0 ? [] : [`${count} ${verdicts[verdict].label.toLowerCase()}`];
  });
  return `${counted(items.length, 'finding')}: ${present.join(', ')}`;
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  return filtered ? (
    <FailurePanel state="idle" label="Empty" title="No finding has this verdict">
      <p>Take the filter off to see the others.</p>
    </FailurePanel>
  ) : (
    <FailurePanel state="idle" label="Empty" title="Nothing was submitted">
      <p>
        External platforms submit findings to <code>/api/judgement/submissions</code>, with{' '}
        <code>CONSOLE_JUDGEMENT_INGEST_TOKEN</code> as bearer token.
      </p>
    </FailurePanel>
  );
}
