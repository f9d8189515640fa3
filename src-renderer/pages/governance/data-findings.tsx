import { useQuery } from '@tanstack/react-query';
import { counted } from '#shared/text.ts';
import { Panel } from '../../components/panel.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useReading } from '../../core/reading.tsx';
import type { StateName } from '../../core/state-name.ts';
import css from './governance-page.module.css';
import { type FindingsAnswer, findingsQuery } from './governance-query.ts';

const everyMs = 30_000;

type Finding = FindingsAnswer['items'][number];

const severities: Readonly<
  Record<Finding['severity'], { readonly state: StateName; readonly label: string }>
> = {
  critical: { state: 'failing', label: 'Critical' },
  warning: { state: 'degraded', label: 'Warning' },
  info: { state: 'idle', label: 'Info' },
};

const stateOf = ({ severity, resolved_at }: Finding) =>
  resolved_at === undefined ? severities[severity] : ({ state: 'healthy', label: 'Resolved' } as const);

const columns: readonly TableColumn<Finding>[] = [
  {
    id: 'state',
    title: 'State',
    width: 110,
    value: (finding) => stateOf(finding).label,
    rank: ({ severity, resolved_at }) =>
      resolved_at === undefined ? Object.keys(severities).indexOf(severity) : 3,
    cell: (finding) => <State {...stateOf(finding)} />,
  },
  { id: 'finding', title: 'Finding', wraps: true, value: ({ title }) => title },
  {
    id: 'subject',
    title: 'Subject',
    width: 220,
    value: ({ subject }) => subject,
    hover: ({ subject }) => subject,
  },
  { id: 'app', title: 'Reported by', width: 130, quiet: true, from: 760, value: ({ app }) => app },
  {
    id: 'found',
    title: 'Found',
    width: 104,
    value: ({ found_at }) => found_at,
    cell: ({ found_at }) => <TimeAgo at={Date.parse(found_at)} />,
  },
];

/** Findings of the data-governance agent, open ones first. */
export function DataFindings() {
  const { every } = useReading();
  const query = useQuery({ ...findingsQuery, refetchInterval: every(everyMs) });
  const open = query.data?.items.filter(({ resolved_at }) => resolved_at === undefined).length;
  return (
    <Panel title="Data governance" sub={open === undefined ? undefined : `${counted(open, 'open finding')}`}>
      <PlainAnswer
        query={query}
        what="the findings"
        meanwhile="The data-governance agent may have reported; the console could not read it."
        frame={css.frame}
      >
        {({ items }) =>
          items.length === 0 ? (
            <p className={css.quiet}>
              None reported. The data-governance agent reports to <code>/api/data-governance-findings</code>.
            </p>
          ) : (
            <PanelTable
              id="dataFindings"
              label="Findings of the data-governance agent"
              columns={columns}
              rows={items}
              keyOf={({ app, id }) => `${app} ${id}`}
            />
          )
        }
      </PlainAnswer>
    </Panel>
  );
}
