import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ServiceRow } from '#shared/api/cluster.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { ForwardDialog } from '../../components/forwards/forward-dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useMayForward } from '../../core/forward-queries.ts';
import { useCurrentTarget } from '../../core/target-queries.ts';
import css from './service-facts.module.css';

type Port = ServiceRow['ports'][number];

const portKey = ({ protocol, port }: Port): string => `${protocol} ${port}`;

const columns: readonly TableColumn<Port>[] = [
  {
    id: 'port',
    title: 'Port',
    width: 100,
    value: ({ port, protocol }) => `${port} ${protocol}`,
    rank: ({ port }) => port,
  },
  { id: 'name', title: 'Name', width: 100, value: ({ name }) => name, hover: ({ name }) => name },
  { id: 'to', title: 'Leads to', value: ({ target }) => target, cell: ({ target }) => <code>{target}</code> },
];

/** One service: what it leads to, whether that is ready, and by which ports. */
export function ServiceFacts({ service }: { readonly service: ServiceRow }) {
  const target = useClusterTarget();
  const { name, namespace, type, ports, workload, ready, desired, endpoints, readiness_probe, state } =
    service;
  const unread = state === 'not_read' ? <NotReadCell /> : 'none';
  const address = `${name}.${namespace}.svc`;
  return (
    <>
      <Facts>
        <Fact name="Type">{type}</Fact>
        <Fact name="Address">
          <code>{address}</code>
          <CopyIcon text={() => address} label="Copy the address" />
        </Fact>
        <Fact name="Workload">
          {workload === undefined ? (
            unread
          ) : (
            <span>
              {workload.kind} <code>{workload.name}</code>
            </span>
          )}
        </Fact>
        <Fact name="Ready">
          {ready === undefined || desired === undefined ? unread : `${ready} of ${desired} desired`}
        </Fact>
        <Fact name="Endpoints">
          {endpoints === undefined ? unread : `${endpoints.ready} ready of ${endpoints.total}`}
        </Fact>
        <Fact name="Readiness probe">
          {readiness_probe === undefined ? unread : readiness_probe ? 'Yes, every pod has one' : 'No'}
        </Fact>
      </Facts>
      {readiness_probe === false && (
        <p className={css.note}>
          <Glyph state="degraded" />
          <span>
            Without one a pod counts as ready the moment its process starts, whether it serves or not.
          </span>
        </p>
      )}
      <Part title="Ports" sub={ports.length}>
        {ports.length === 0 ? (
          <p>None: it only gives each of its pods a name.</p>
        ) : (
          <PanelTable id="ports" label="Ports" columns={columns} rows={ports} keyOf={portKey} />
        )}
        <ForwardPort service={service} />
      </Part>
      <ul className={css.ways}>
        <li>
          <PageLink to={{ tab: 'routes', q: name, ...(target !== undefined && { target }) }}>
            Routes to it
          </PageLink>
        </li>
        <li>
          <PageLink to={{ tab: 'namespaces', record: namespace, ...(target !== undefined && { target }) }}>
            Namespace {namespace}
          </PageLink>
        </li>
      </ul>
    </>
  );
}

/** Opens a port of this machine that leads to the service, where a live cluster is read and the person may. */
function ForwardPort({ service: { name, namespace, ports } }: { readonly service: ServiceRow }) {
  const [open, setOpen] = useState(false);
  const may = useMayForward() === true;
  const { target } = useCurrentTarget();
  const [first] = ports;
  if (!may || first === undefined || target === undefined || target.kind === 'bundle') return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Forward a port</Button>
      {open && (
        <ForwardDialog
          target={target.id}
          to={{ kind: 'Service', namespace, object: name, port: first.port }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
