import { useQuery } from '@tanstack/react-query';
import type { NodeRow } from '#shared/api/cluster.ts';
import { ActMenu } from '../../components/acts/act-menu.tsx';
import { Banner } from '../../components/banner.tsx';
import { EventRows } from '../../components/cluster/event-rows.tsx';
import { PodRows } from '../../components/cluster/pod-rows.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { openPanel, type PanelTab, PanelTabs } from '../../components/panel-tabs.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { sentenceOf } from '../../core/failure.ts';
import { type NodeAnswer, nodeQuery } from '../../core/node-queries.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { Conditions } from './conditions.tsx';
import { Isolation } from './isolation.tsx';
import { Loads } from './loads.tsx';
import css from './nodes-page.module.css';

/** Refresh interval of the open node, in milliseconds. */
const everyMs = 10_000;

/** A node beside the list: its load and conditions, what is on it, and what happened to it. */
export function NodeDetail({ row }: { readonly row: NodeRow }) {
  const target = useClusterTarget();
  const { every } = useReading();
  const { data, error } = useQuery({
    ...nodeQuery(target, row.name),
    refetchInterval: every(everyMs),
  });
  const tabs: readonly PanelTab[] = [
    { panel: undefined, title: 'State' },
    { panel: 'pods', title: 'Pods', count: row.pods },
    { panel: 'events', title: 'Events', count: data?.events.length },
    { panel: 'labels', title: 'Labels' },
  ];
  const reasons = error !== null && data === undefined ? [sentenceOf(error)] : (data?.unmeasured ?? []);
  return (
    <>
      <PanelTabs name="Parts of the node" tabs={tabs} />
      {reasons.length > 0 && (
        <div className={css.notRead}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="Partly read.">
            {reasons.join(' ')}
          </Banner>
        </div>
      )}
      <Parts row={row} answer={data} waiting={data === undefined && error === null} tabs={tabs} />
    </>
  );
}

type PartsProps = {
  readonly row: NodeRow;
  /** Undefined until it is read. */
  readonly answer: NodeAnswer | undefined;
  readonly waiting: boolean;
  readonly tabs: readonly PanelTab[];
};

function Parts({ row, answer, waiting, tabs }: PartsProps) {
  const [{ panel }] = usePageAddress();
  const open = openPanel(panel, tabs);
  if (open === undefined) return <NodeStatus row={row} answer={answer} />;
  if (answer === undefined) {
    return waiting ? (
      <div className={css.notRead}>
        <Waiting label={`Reading ${row.name}`} />
        <SkeletonRows rows={5} />
      </div>
    ) : null;
  }
  if (open === 'pods') {
    return (
      <Part title="Pods" sub="by namespace">
        {answer.namespaces.map(({ namespace, pods }) => (
          <section key={namespace} aria-label={namespace}>
            <h4 className={css.namespace}>{namespace}</h4>
            <PodRows pods={pods} />
          </section>
        ))}
        {answer.namespaces.length === 0 && (
          <p className={css.empty}>{answer.complete ? 'No pods on it.' : 'None in the data read.'}</p>
        )}
      </Part>
    );
  }
  if (open === 'events') {
    return (
      <Part title="Events" sub="newest first">
        <EventRows events={answer.events} />
        {answer.events.length === 0 && (
          <p className={css.empty}>
            {answer.complete
              ? 'None. The cluster forgets events after an hour or so.'
              : 'None in the data read.'}
          </p>
        )}
      </Part>
    );
  }
  return (
    <Part title="Labels">
      <ul className={css.labels}>
        {Object.entries(answer.labels).map(([name, value]) => (
          <li key={name}>
            <code>{value === '' ? name : `${name}=${value}`}</code>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function NodeStatus({ row, answer }: { readonly row: NodeRow; readonly answer: NodeAnswer | undefined }) {
  const [address] = usePageAddress();
  return (
    <>
      <div className={css.acts}>
        <ActMenu object={{ group: '', version: 'v1', kind: 'Node', name: row.name }} />
      </div>
      <Isolation row={row} />
      <Loads row={row} />
      {answer !== undefined && <Conditions conditions={answer.conditions} />}
      {row.taints.length > 0 && (
        <Part title="Taints" sub={row.taints.length}>
          <ul className={css.taints}>
            {row.taints.map(({ key, value, effect }) => (
              <li key={`${key} ${effect}`}>
                <code>{value === undefined ? key : `${key}=${value}`}</code> {effect}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Facts>
        {row.roles.length > 0 && <Fact name="Roles">{row.roles.join(', ')}</Fact>}
        {row.version !== undefined && <Fact name="Kubelet">{row.version}</Fact>}
        {row.unschedulable && <Fact name="Scheduling">cordoned: no new pods are scheduled on it</Fact>}
        {row.created_at !== undefined && (
          <Fact name="Joined">
            <TimeAgo at={Date.parse(row.created_at)} />
          </Fact>
        )}
        <Fact name="Object">
          <PageLink to={addressWith(address, { panel: 'yaml' })}>YAML</PageLink>
        </Fact>
      </Facts>
    </>
  );
}
