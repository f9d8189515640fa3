import { counted } from '#shared/text.ts';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { Tag } from '../../components/tag.tsx';
import type { StateName } from '../../core/state-name.ts';
import type { GovernanceAnswer } from './governance-query.ts';

type Posture = GovernanceAnswer['namespaces'][number];
type Verdict = { readonly state: StateName; readonly label: string };

// What a namespace does without is no fault: it stands in grey, so that what is not read or lifted stands out.
const notRead: Verdict = { state: 'unknown', label: 'Not read' };

function ingressOf({ network_policies: policies }: Posture): Verdict {
  if (policies === undefined) return notRead;
  if (policies.default_deny_ingress) return { state: 'healthy', label: 'Denied by default' };
  return { state: 'idle', label: policies.count === 0 ? 'Open: no policy' : 'Open by default' };
}

function podSecurityOf({ pod_security: { enforce } }: Posture): Verdict {
  if (enforce === 'restricted') return { state: 'healthy', label: 'Restricted' };
  if (enforce === 'baseline') return { state: 'healthy', label: 'Baseline' };
  return enforce === 'none'
    ? { state: 'idle', label: 'Not enforced' }
    : { state: 'degraded', label: 'Privileged' };
}

function quotaOf({ quotas }: Posture): Verdict {
  if (quotas === undefined) return notRead;
  return quotas === 0 ? { state: 'idle', label: 'None' } : { state: 'healthy', label: String(quotas) };
}

function accountOf({ workloads }: Posture): Verdict {
  if (workloads === undefined) return notRead;
  const { count, default_service_account: byDefault } = workloads;
  if (count === 0) return { state: 'idle', label: 'No workloads' };
  return byDefault === 0
    ? { state: 'healthy', label: 'None' }
    : { state: 'idle', label: `${byDefault} of ${counted(count, 'workload')}` };
}

const worst: readonly StateName[] = ['degraded', 'unknown', 'idle', 'healthy'];

const verdict = (
  id: string,
  title: string,
  width: number,
  of: (posture: Posture) => Verdict,
  from?: number,
): TableColumn<Posture> => ({
  id,
  title,
  width,
  ...(from === undefined ? {} : { from }),
  value: (posture) => of(posture).label,
  rank: (posture) => worst.indexOf(of(posture).state),
  cell: (posture) => <State {...of(posture)} />,
});

const columns: readonly TableColumn<Posture>[] = [
  {
    id: 'namespace',
    title: 'Namespace',
    value: ({ name }) => name,
    hover: ({ name }) => name,
    cell: ({ name, system }) => (
      <>
        {name} {system && <Tag>system</Tag>}
      </>
    ),
  },
  { id: 'tenant', title: 'Tenant', width: 130, quiet: true, value: ({ tenant }) => tenant },
  verdict('ingress', 'Network ingress', 160, ingressOf),
  verdict('podSecurity', 'Pod Security', 130, podSecurityOf),
  verdict('quotas', 'Quotas', 110, quotaOf, 760),
  verdict('accounts', 'Default service account', 190, accountOf, 900),
];

/** The posture of each namespace, those of people first. */
export function NamespacePostures({ namespaces }: { readonly namespaces: GovernanceAnswer['namespaces'] }) {
  return (
    <Panel title="Namespaces" sub={counted(namespaces.length, 'namespace')}>
      <PanelTable
        id="namespacePostures"
        label="Posture of namespaces"
        columns={columns}
        rows={namespaces}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}
