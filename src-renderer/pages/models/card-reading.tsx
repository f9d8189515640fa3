import { useMemo } from 'react';
import type { ModelCard } from '#shared/api/fleet.ts';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { formatNumber, formatShare } from '../../components/format-quantity.ts';
import { NotReadNote } from '../../components/not-read-note.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './card-reading.module.css';

/** One model card: what the model is, what for, where it stops, where it runs, and who uses it. */
export function CardReading({ card }: { readonly card: ModelCard }) {
  const { name, summary, family, licence, parameters_billion, context_length, uses, limits } = card;
  return (
    <>
      {summary !== undefined && <p className={css.summary}>{summary}</p>}
      <Facts>
        <Fact name="Name">
          <code>{name}</code>
        </Fact>
        {family !== undefined && <Fact name="Family">{family}</Fact>}
        {licence !== undefined && <Fact name="Licence">{licence}</Fact>}
        {parameters_billion !== undefined && (
          <Fact name="Parameters">{formatNumber(parameters_billion)} billion</Fact>
        )}
        {context_length !== undefined && <Fact name="Context">{formatNumber(context_length)} tokens</Fact>}
      </Facts>
      <div className={css.pair}>
        <Texts title="For" items={uses} none="The card states no use." />
        <Texts title="Limits" items={limits} none="The card states no limit." />
      </div>
      <Live card={card} />
      <Use card={card} />
    </>
  );
}

type TextsProps = { readonly title: string; readonly items: readonly string[]; readonly none: string };

function Texts({ title, items: label, none }: TextsProps) {
  return (
    <Part title={title}>
      {label.length === 0 ? (
        <p className={css.quiet}>{none}</p>
      ) : (
        <ul className={css.words}>
          {label.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}

type Tier = NonNullable<ModelCard['live']>[number];

const tierKey = ({ namespace, workload }: Tier): string => `${namespace}/${workload}`;

const tierColumns = (target: string | undefined): readonly TableColumn<Tier>[] => [
  { id: 'tier', title: 'Tier', width: 150, value: ({ tier }) => tier },
  {
    id: 'workload',
    title: 'Workload',
    value: ({ workload }) => workload,
    hover: ({ workload }) => workload,
    cell: ({ workload, namespace }) => (
      <PageLink to={{ tab: 'inference', q: workload, namespace, ...(target !== undefined && { target }) }}>
        {workload}
      </PageLink>
    ),
  },
  { id: 'namespace', title: 'Namespace', width: 170, from: 480, value: ({ namespace }) => namespace },
  {
    id: 'ready',
    title: 'Ready',
    width: 80,
    numbers: true,
    value: ({ replicas_ready, replicas_desired }) => `${replicas_ready}/${replicas_desired}`,
    rank: ({ replicas_ready }) => replicas_ready,
  },
];

function Live({ card: { live } }: { readonly card: ModelCard }) {
  const target = useClusterTarget();
  const tiers = useMemo(() => tierColumns(target), [target]);
  return (
    <Part title="Runs now">
      {live === undefined && (
        <NotReadNote label="Tiers not read" reason="The workloads of the cluster were not read." />
      )}
      {live?.length === 0 && <p className={css.quiet}>No tier runs it.</p>}
      {live !== undefined && live.length > 0 && (
        <PanelTable id="tiers" label="Where it runs now" columns={tiers} rows={live} keyOf={tierKey} />
      )}
    </Part>
  );
}

type TenantUnits = NonNullable<ModelCard['tenant_units']>[number];

const tenantKey = ({ tenant }: TenantUnits): string => tenant;

const unitColumns = (all: number): readonly TableColumn<TenantUnits>[] => [
  { id: 'tenant', title: 'Tenant', value: ({ tenant }) => tenant },
  {
    id: 'share',
    title: 'Share',
    width: (view) => Math.round(view * 0.45),
    value: (row) => (all === 0 ? undefined : row.units / all),
    cell: (row) => (
      <span className={css.share}>
        <ShareBar share={all === 0 ? 0 : row.units / all} />
        {all > 0 && formatShare(row.units / all)}
      </span>
    ),
  },
  {
    id: 'units',
    title: 'Compute units',
    width: 120,
    numbers: true,
    value: (row) => row.units,
    cell: (row) => formatNumber(row.units),
  },
];

function Use({ card: { tokens, tokens_on, tenant_units, catalogue } }: { readonly card: ModelCard }) {
  const all = tenant_units?.reduce((sum, row) => sum + row.units, 0) ?? 0;
  const units = useMemo(() => unitColumns(all), [all]);
  if (catalogue) return null;
  return (
    <Part title="Use" sub={tokens === undefined ? undefined : 'since the engines started'}>
      {tokens === undefined ? (
        tokens_on === undefined ? (
          <NotReadNote label="Token use not read" reason="The metrics of its engines were not read." />
        ) : (
          <p className={css.quiet}>Counted on the card {tokens_on}, which describes the same workload.</p>
        )
      ) : (
        <Facts>
          <Fact name="Read">{formatNumber(tokens.prompt)} tokens</Fact>
          <Fact name="Written">{formatNumber(tokens.generated)} tokens</Fact>
        </Facts>
      )}
      {tenant_units !== undefined && tenant_units.length > 0 && (
        <PanelTable
          id="tenantUnits"
          label="Compute units by tenant"
          columns={units}
          rows={[...tenant_units].sort((a, b) => b.units - a.units)}
          keyOf={tenantKey}
        />
      )}
      {tokens !== undefined && tenant_units === undefined && (
        <p className={css.quiet}>The metrics of its engines do not distinguish tenants.</p>
      )}
    </Part>
  );
}
