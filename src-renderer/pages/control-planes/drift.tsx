import type { ControlPlane } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import css from './control-planes-page.module.css';

type DriftedField = ControlPlane['drift'][number];

const keyOf = ({ field }: DriftedField): string => field;

const columns: readonly TableColumn<DriftedField>[] = [
  {
    id: 'field',
    title: 'Field',
    wraps: true,
    value: ({ field }) => field,
    cell: ({ field }) => <code>{field}</code>,
  },
  {
    id: 'specified',
    title: 'Specified',
    width: 200,
    wraps: true,
    value: ({ wanted }) => wanted,
    cell: ({ wanted }) => <code>{wanted}</code>,
  },
  {
    id: 'live',
    title: 'Live',
    width: 200,
    wraps: true,
    value: ({ live }) => live,
    cell: ({ live }) => <code className={css.live}>{live}</code>,
  },
  {
    id: 'manager',
    title: 'Changed by',
    width: 170,
    wraps: true,
    value: ({ manager }) => manager ?? 'not known',
  },
];

/** Fields of the live Deployment that somebody changed and the operator will put back. */
export function Drift({ plane: { drift, workload, probe_refusals } }: { readonly plane: ControlPlane }) {
  return (
    <Part title="Drift" sub={drift.length > 0 ? 'the operator will revert these' : undefined}>
      {drift.length === 0 ? (
        <p className={css.quiet}>
          {workload === undefined
            ? 'There is no live Deployment to compare with.'
            : probe_refusals.length > 0
              ? 'Everything but the probes is as specified; those are refused, so the operator leaves them as they were.'
              : 'The live Deployment is as specified.'}
        </p>
      ) : (
        <PanelTable id="drift" label="Drift" columns={columns} rows={drift} keyOf={keyOf} />
      )}
    </Part>
  );
}
