import { type Workload, workload } from '#shared/api/cluster.ts';
import { healthStates } from '../../components/health-states.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { imageVersion, worstFirst } from './overview-labels.ts';
import type { DashboardAnswer } from './overview-queries.ts';
import css from './workloads-panel.module.css';

type WorkloadsPanelProps = { readonly answer: DashboardAnswer; readonly target: string | undefined };

/** The workloads that are tracked, the worst first. */
export function WorkloadsPanel({ answer, target }: WorkloadsPanelProps) {
  const items = worstFirst(answer.workloads);
  return (
    <Panel
      title="Tracked workloads"
      sub={items.length === 0 ? undefined : items.length}
      tools={
        items.length > 0 && (
          <ExportRows
            name="tracked-workloads"
            label={`The ${items.length} tracked workloads`}
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
        <table className={css.table} aria-label="Tracked workloads">
          <thead>
            <tr>
              <th>Workload</th>
              <th className={css.kind}>Kind</th>
              <th className={css.namespace}>Namespace</th>
              <th className={css.state}>State</th>
              <th className={css.why}>Why</th>
              <th className={css.number}>Ready</th>
              <th className={css.number}>Restarts</th>
              <th className={css.image}>Image</th>
              <th className={css.since}>Since</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row key={`${item.kind}/${item.namespace}/${item.name}`} item={item} target={target} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Row({ item, target }: { readonly item: Workload; readonly target: string | undefined }) {
  const { kind, name, namespace, ready, desired, image, restarts, state, reason, since } = item;
  const why = reason === undefined ? undefined : asSentence(reason);
  return (
    <tr>
      <td title={name}>
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
      </td>
      <td className={css.kind}>{kind}</td>
      <td className={css.fact} title={namespace}>
        {namespace}
      </td>
      <td title={why}>
        <State {...healthStates[state]} />
      </td>
      <td className={css.why} title={why}>
        {why}
      </td>
      <td className={css.number}>
        {ready === undefined || desired === undefined ? (
          // A CronJob has no replicas that could be ready.
          kind === 'CronJob' ? null : (
            <NotReadCell />
          )
        ) : (
          `${ready}/${desired}`
        )}
      </td>
      <td className={css.number} data-many={(restarts ?? 0) > 0}>
        {restarts?.toLocaleString('en') ?? <NotReadCell width={18} />}
      </td>
      <td className={css.image} title={image}>
        {image === undefined ? <NotReadCell width={44} /> : <code>{imageVersion(image)}</code>}
      </td>
      <td className={css.since}>{since !== undefined && <TimeAgo at={Date.parse(since)} />}</td>
    </tr>
  );
}
