import { useQuery } from '@tanstack/react-query';
import type { NamespaceRow } from '#shared/api/cluster.ts';
import { Banner } from '../../components/banner.tsx';
import { EventRows } from '../../components/cluster/event-rows.tsx';
import { PodRows } from '../../components/cluster/pod-rows.tsx';
import { WorkloadRows } from '../../components/cluster/workload-rows.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { openPanel, type PanelTab, PanelTabs } from '../../components/panel-tabs.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { sentenceOf } from '../../core/failure.ts';
import { type NamespaceAnswer, namespaceQuery } from '../../core/namespace-queries.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import css from './namespaces-page.module.css';
import { QuotaRows } from './quota-rows.tsx';

/** Refresh interval of the open namespace, in milliseconds. */
const everyMs = 10_000;

/** A namespace beside the list: what fails in it, then everything else, one part at a time. */
export function NamespaceDetail({ row }: { readonly row: NamespaceRow }) {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...namespaceQuery(target, row.name), refetchInterval: every(everyMs) });
  const { data, error } = query;
  const tabs: readonly PanelTab[] = [
    { panel: undefined, title: 'Verdict' },
    { panel: 'pods', title: 'Pods', count: row.counts.pods },
    { panel: 'workloads', title: 'Workloads', count: data?.workloads.length },
    { panel: 'events', title: 'Warnings', count: row.warning_events },
  ];
  return (
    <>
      <PanelTabs name="Parts of the namespace" tabs={tabs} />
      {data === undefined ? (
        error === null ? (
          <div className={css.notRead}>
            <Waiting label={`Reading ${row.name}`} />
            <SkeletonRows rows={5} />
          </div>
        ) : (
          <NotRead reasons={[sentenceOf(error)]} />
        )
      ) : (
        <Parts row={row} answer={data} tabs={tabs} />
      )}
    </>
  );
}

type PartsProps = {
  readonly row: NamespaceRow;
  readonly answer: NamespaceAnswer;
  readonly tabs: readonly PanelTab[];
};

function Parts({ row, answer, tabs }: PartsProps) {
  const [address] = usePageAddress();
  const { pods, workloads, events, complete, unmeasured } = answer;
  const open = openPanel(address.panel, tabs);
  return (
    <>
      {!complete && unmeasured.length > 0 && <NotRead reasons={unmeasured} />}
      {open === undefined && <Verdict row={row} pods={pods} />}
      {open === 'pods' && (
        <Part title="Pods" sub="worst first">
          <PodRows pods={pods} />
          {pods.length === 0 && <None complete={complete}>No pods in it.</None>}
        </Part>
      )}
      {open === 'workloads' && (
        <Part title="Workloads" sub="ready of desired">
          <WorkloadRows workloads={workloads} namespace={row.name} />
          {workloads.length === 0 && <None complete={complete}>No workloads in it.</None>}
        </Part>
      )}
      {open === 'events' && (
        <Part title="Warnings" sub="newest first">
          <EventRows events={events} />
          {events.length === 0 && (
            <None complete={complete}>None. The cluster forgets events after an hour or so.</None>
          )}
        </Part>
      )}
    </>
  );
}

function Verdict({ row, pods }: { readonly row: NamespaceRow; readonly pods: NamespaceAnswer['pods'] }) {
  const [address] = usePageAddress();
  const failing = pods.filter(({ state }) => state === 'failing' || state === 'degraded');
  const [worst] = failing;
  const target = address.target ?? undefined;
  return (
    <>
      <div className={css.ways}>
        {worst !== undefined && (
          <PageLink
            look="filled"
            to={{
              tab: 'logs',
              namespace: row.name,
              name: worst.name,
              ...(target !== undefined && { target }),
            }}
          >
            Logs of {worst.name.length > 28 ? 'the failing pod' : worst.name}
          </PageLink>
        )}
        <PageLink look="outlined" to={addressWith(address, { kind: 'Namespace', name: row.name })}>
          YAML
        </PageLink>
      </div>
      {failing.length > 0 && (
        <Part title="Pods needing attention" sub={`${failing.length} of ${pods.length}`}>
          <PodRows pods={failing} />
        </Part>
      )}
      <QuotaRows quotas={row.quotas} />
      <Facts>
        {row.tenant !== undefined && <Fact name="Tenant">{row.tenant}</Fact>}
        {row.phase !== undefined && <Fact name="Phase">{row.phase}</Fact>}
        {row.created_at !== undefined && (
          <Fact name="Created">
            <TimeAgo at={Date.parse(row.created_at)} />
          </Fact>
        )}
        <Fact name="In it">{countsOf(row)}</Fact>
      </Facts>
    </>
  );
}

/** Formats the number of objects by kind in a namespace; kinds that were not read are left out. */
function countsOf({ counts }: NamespaceRow): string {
  const named = [
    ['Deployment', counts.deployments],
    ['StatefulSet', counts.statefulsets],
    ['DaemonSet', counts.daemonsets],
    ['CronJob', counts.cronjobs],
    ['Job', counts.jobs],
    ['Service', counts.services],
  ] as const;
  const label = named.flatMap(([kind, count]) =>
    count === undefined || count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`],
  );
  return label.length === 0 ? 'nothing of the kinds read' : label.join(', ');
}

function NotRead({ reasons }: { readonly reasons: readonly string[] }) {
  return (
    <div className={css.notRead}>
      <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
        {reasons.join(' ')}
      </Banner>
    </div>
  );
}

function None({ complete, children }: { readonly complete: boolean; readonly children: string }) {
  return <p className={css.empty}>{complete ? children : 'None in the data read.'}</p>;
}
