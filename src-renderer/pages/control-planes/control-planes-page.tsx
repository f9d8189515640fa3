import { useQuery } from '@tanstack/react-query';
import { type ControlPlane, controlPlane } from '#shared/api/cluster.ts';
import { Conditions } from '../../components/cluster/conditions.tsx';
import type { Listed } from '../../components/list/listed.ts';
import { ReadingPage } from '../../components/list/reading-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconActivityHeartbeat } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { backendLabels } from './control-plane-labels.ts';
import { controlPlanesQuery } from './control-planes-query.ts';
import { Drift } from './drift.tsx';
import { Health } from './health.tsx';
import { PlaneFacts } from './plane-facts.tsx';
import { Probes } from './probes.tsx';
import { Reasons } from './reasons.tsx';

const everyMs = 10_000;

const none: readonly ControlPlane[] = [];

const listed: Listed<ControlPlane> = {
  tab: 'controlPlanes',
  one: 'control plane',
  many: 'control planes',
  icon: IconActivityHeartbeat,
  key: ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`,
  title: ({ name }) => name,
  state: ({ state }) => state,
  // Several have a list of their own.
  why: ({ reason, reasons = [] }) => (reasons.length > 1 ? undefined : reason),
  namespace: ({ namespace }) => namespace,
  object: ({ kind, name, namespace }) => ({ kind, name, namespace }),
  searchText: ({ kind, tenant, image, phase, backend, reason }) => [
    kind,
    tenant,
    image,
    phase,
    backendLabels[backend],
    reason,
  ],
};

/** Control planes and instances: is each healthy, does it run as specified, and what will the operator put back. */
export function ControlPlanesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...controlPlanesQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none, { keepsOpen: true });
  return (
    <ReadingPage
      title="Control planes"
      query={query}
      list={list}
      exported={controlPlane.keyof().options}
      sub={({ backend, namespace, phase }) =>
        `${backendLabels[backend]} in ${namespace}${phase === undefined ? '' : `, ${phase}`}`
      }
      tags={({ kind, namespace }) => [kind, namespace]}
      zero={
        <p>
          A control plane is an object of the kinds CockpitControlPlane, CampaignControlPlane or
          ClientInstance. They are defined by the console’s own CRDs, in <code>resources/crds</code>.
        </p>
      }
    >
      {(plane, { source, read_at }) => (
        <>
          <Reasons plane={plane} />
          <PlaneFacts plane={plane} />
          <Health plane={plane} asOf={source === 'bundle' ? Date.parse(read_at) : undefined} />
          <Probes plane={plane} />
          <Drift plane={plane} />
          <Conditions conditions={plane.conditions} none="The operator has set none." />
        </>
      )}
    </ReadingPage>
  );
}
