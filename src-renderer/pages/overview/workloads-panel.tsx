import { useMemo } from 'react';
import { type Workload, workload } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { healthStates } from '../../components/health-states.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { imageVersion, worstFirst } from './overview-labels.ts';
import type { DashboardAnswer } from './overview-queries.ts';
import css from './workloads-panel.module.css';

type WorkloadsPanelProps = { readonly answer: DashboardAnswer; readonly target: string | undefined };

const keyOf = ({ kind, namespace, name }: Workload): string => `${kind}/${namespace}/${name}`;
const objectOf = ({ kind, namespace, name }: Workload) => ({ kind, namespace, name });

/** The workloads that are tracked, the worst first. */
export function WorkloadsPanel({ answer, target }: WorkloadsPanelProps) {
  const items = worstFirst(answer.workloads);
  const columns = useMemo(() => workloadColumns(target), [target]);
  return (
    <Panel
      title="Tracked workloads"
      sub={items.length === 0 ? undefined : items.length}
      tools={
        items.length > 0 && (
          <ExportRows
            name="tracked-workloads"
            label={`The ${items.length} tracked workloads`}
            table={{ id: 'workloads', columns }}
            fields={workload.keyof().options}
            rows={items}
          />
        )
      }
    >
      {items.length === 0 ? (
        <p className={css.none}>
          {answer.complete
            ? 'No workload is tracked. To track one, add the label '
            : 'None in the data read. To track a workload, add the label '}
          <code>platform.dev/tracked: "true"</code>.
        </p>
      ) : (
        <PanelTable
          id="workloads"
          label="Tracked workloads"
          columns={columns}
          rows={items}
          keyOf={keyOf}
          object={objectOf}
        />
      )}
    </Panel>
  );
}

const whyOf = ({ reason }: Workload) => (reason === undefined ? undefined : asSentence(reason));

function workloadColumns(target: string | undefined): readonly TableColumn<Workload>[] {
  return [
    {
      id: 'name',
      title: 'Workload',
      width: (view) => (view >= 900 ? 200 : undefined),
      value: ({ name }) => name,
      hover: ({ name }) => name,
      cell: ({ name, namespace }) => (
        <PageLink
          to={{
            tab: 'namespaces',
            panel: 'workloads',
            record: namespace,
            ...(target !== undefined && { target }),
          }}
        >
          {name}
        </PageLink>
      ),
    },
    {
      id: 'kind',
      title: 'Kind',
      width: 104,
      from: 1200,
      quiet: true,
      value: ({ kind }) => kind,
    },
    {
      id: 'namespace',
      title: 'Namespace',
      width: 118,
      from: 560,
      quiet: true,
      value: ({ namespace }) => namespace,
      hover: ({ namespace }) => namespace,
    },
    {
      id: 'state',
      title: 'State',
      width: 98,
      value: ({ state }) => healthStates[state].label,
      rank: ({ state }) => healthWorstFirst.indexOf(state),
      hover: whyOf,
      cell: ({ state }) => <State {...healthStates[state]} />,
    },
    { id: 'why', title: 'Why', from: 900, quiet: true, value: whyOf, hover: whyOf },
    {
      id: 'ready',
      title: 'Ready',
      width: 64,
      numbers: true,
      value: ({ ready, desired }) =>
        ready === undefined || desired === undefined ? undefined : `${ready}/${desired}`,
      rank: ({ ready }) => ready,
      cell: ({ ready, desired, kind }) => {
        if (ready !== undefined && desired !== undefined) return `${ready}/${desired}`;
        // A CronJob has no replicas that could be ready.
        return kind === 'CronJob' ? null : <NotReadCell />;
      },
    },
    {
      id: 'restarts',
      title: 'Restarts',
      width: 76,
      numbers: true,
      value: ({ restarts }) => restarts,
      cell: ({ restarts }) =>
        restarts === undefined ? (
          <NotReadCell width={18} />
        ) : (
          <span className={css.restarts} data-many={restarts > 0}>
            {restarts.toLocaleString('en')}
          </span>
        ),
    },
    {
      id: 'image',
      title: 'Image',
      width: 84,
      from: 640,
      value: ({ image }) => image,
      hover: ({ image }) => image,
      cell: ({ image }) =>
        image === undefined ? <NotReadCell width={44} /> : <code>{imageVersion(image)}</code>,
    },
    {
      id: 'since',
      title: 'Since',
      width: 98,
      from: 700,
      numbers: true,
      quiet: true,
      value: ({ since }) => since,
      cell: ({ since }) => since !== undefined && <TimeAgo at={Date.parse(since)} />,
    },
  ];
}
