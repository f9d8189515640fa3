import { useQuery } from '@tanstack/react-query';
import { counted } from '#shared/text.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useReading } from '../../core/reading.tsx';
import css from './domains-page.module.css';
import { type DomainsAnswer, domainsQuery } from './domains-query.ts';

const everyMs = 30_000;

type Domain = DomainsAnswer['items'][number];
type Row = Domain['connections'][number] & { readonly because: string };

const commonTrait: Readonly<Record<Domain['by'], string>> = {
  naming: 'name',
  tenant: 'tenant',
  type: 'type',
};

const columns: readonly TableColumn<Row>[] = [
  { id: 'connection', title: 'Connection', width: 220, value: ({ name }) => name, hover: ({ name }) => name },
  { id: 'type', title: 'Type', width: 120, value: ({ type }) => type },
  { id: 'tenant', title: 'Tenant', width: 160, value: ({ tenant }) => tenant },
  { id: 'because', title: 'Evidence', quiet: true, wraps: true, from: 620, value: ({ because }) => because },
];

/** Shows which connections hold data about one thing, and by what that is known. */
export function DomainsPage() {
  const { every } = useReading();
  const query = useQuery({ ...domainsQuery, refetchInterval: every(everyMs) });
  return (
    <Page
      title="Domains"
      sub="Connections whose data is about one thing"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <SourceRead query={query} what="Data domains" board skeleton={<SkeletonRows rows={8} />}>
        {({ items }) =>
          items.length === 0 ? (
            <FailurePanel state="idle" label="Empty" title="No connections yet">
              <p>Domains are clustered from the connections of tenants. None is registered.</p>
            </FailurePanel>
          ) : (
            <div className={css.board}>
              {items.map((domain) => (
                <DomainPanel key={`${domain.by} ${domain.name}`} domain={domain} />
              ))}
            </div>
          )
        }
      </SourceRead>
    </Page>
  );
}

function DomainPanel({ domain }: { readonly domain: Domain }) {
  const { name, by, connections, evidence } = domain;
  const rows = connections.map((connection, n) => ({ ...connection, because: evidence[n] ?? '' }));
  return (
    <Panel title={name} sub={`${counted(connections.length, 'connection')}, grouped by ${commonTrait[by]}`}>
      <PanelTable
        id="domains"
        label={`Connections of ${name}`}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </Panel>
  );
}
