import type { Allocation } from '#shared/api/fleet.ts';
import {
  formatBytes,
  formatCores,
  formatCost,
  formatNumber,
  formatShare,
} from '../../components/format-quantity.ts';
import { Panel } from '../../components/panel.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import css from './allocation-panel.module.css';
import { compute, mostFirst, type Resource, requestedOf, shareOf } from './compute.ts';
import type { FinopsAnswer } from './finops-query.ts';

type AllocationPanelProps = {
  readonly title: string;
  /** The label that says whose a pod is. */
  readonly label: 'initiative' | 'tenant';
  readonly allocations: readonly Allocation[];
  readonly answer: FinopsAnswer;
  readonly resource: Resource;
};

/** A line of the allocation: whose it is, or what nobody requested. */
type AllocationRow = {
  readonly key: string;
  readonly whose?: string | undefined;
  readonly title: string;
  readonly hover?: string;
  readonly amount: number;
  readonly share: number | undefined;
  readonly pods?: number;
  readonly hours?: number;
  readonly costs?: Allocation['costs'];
};

const keyOf = ({ key }: AllocationRow): string => key;

/** Shows who requests how much of a resource, as bars on one scale, with the unrequested rest last. */
export function AllocationPanel({ title, label, allocations, answer, resource }: AllocationPanelProps) {
  const { name, of, whole: wholeOf, format: message } = compute[resource];
  const whole = wholeOf(answer);
  const rows = mostFirst(allocations, resource);
  const free = whole === undefined ? undefined : Math.max(0, whole - requestedOf(allocations, resource));
  const longest = Math.max(...rows.map(of), free ?? 0, Number.MIN_VALUE);
  const shown: readonly AllocationRow[] = [
    ...rows.map((row) => ({
      key: row.name ?? 'unlabelled',
      whose: row.name,
      title: row.name ?? 'Unlabelled',
      hover: `${row.name ?? `Pods without a label for their ${label}`}: ${formatCores(row.cpu_cores)}, ${formatBytes(row.memory_bytes)}, ${row.gpus} GPUs`,
      amount: of(row),
      share: shareOf(of(row), whole),
      pods: row.pods,
      hours: resource === 'cpu' ? row.cpu_core_hours : row.memory_gib_hours,
      costs: row.costs,
    })),
    ...(free !== undefined && whole !== undefined && whole > 0
      ? [{ key: ' free', title: 'Unallocated', amount: free, share: free / whole }]
      : []),
  ];
  const columns: readonly TableColumn<AllocationRow>[] = [
    {
      id: 'name',
      title: label === 'initiative' ? 'Initiative' : 'Tenant',
      width: (view) => Math.max(120, Math.round(view / 5)),
      value: (row) => row.title,
      hover: (row) => row.hover,
    },
    {
      id: 'amount',
      title: name,
      value: (row) => row.amount,
      cell: (row) => (
        <Bar length={row.amount / longest} label={message(row.amount)} free={row.key === ' free'} />
      ),
    },
    {
      id: 'share',
      title: 'Share',
      width: 76,
      numbers: true,
      quiet: true,
      value: (row) => row.share,
      cell: (row) => row.share !== undefined && formatShare(row.share),
    },
    { id: 'pods', title: 'Pods', width: 64, numbers: true, quiet: true, value: (row) => row.pods },
    ...(resource === 'gpu'
      ? []
      : [
          {
            id: 'hours',
            title: resource === 'cpu' ? 'Core hours' : 'GiB hours',
            width: 96,
            from: 480,
            numbers: true,
            quiet: true,
            value: (row: AllocationRow) => row.hours,
            cell: (row: AllocationRow) => row.hours !== undefined && formatNumber(row.hours),
          } as const,
        ]),
    ...(answer.pricing === undefined || answer.pricing.priced_nodes.length === 0
      ? []
      : [
          {
            id: 'cost',
            title: 'Cost/h',
            width: 92,
            numbers: true,
            value: ({ costs }: AllocationRow) => costs?.[0]?.per_hour_minor,
            cell: ({ costs }: AllocationRow) =>
              costs?.map((cost) => formatCost(cost.per_hour_minor, cost.currency)).join(', '),
            hover: ({ costs }: AllocationRow) =>
              costs
                ?.map(
                  ({ currency, so_far_minor }) =>
                    `${formatCost(so_far_minor, currency)} since the pods started`,
                )
                .join(', '),
          } as const,
        ]),
  ];
  return (
    <Panel title={title} sub={`${rows.filter((row) => row.name !== undefined).length}`}>
      {rows.length === 0 ? (
        <p className={css.none}>
          {answer.complete
            ? 'No pod requests anything; everything was checked.'
            : 'No request in the data read. Not everything was read, so there may be some.'}
        </p>
      ) : (
        <PanelTable
          id={label}
          label={`${title}, ${name}`}
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          mark={({ whose }) => (whose === undefined ? 'nobody' : undefined)}
        />
      )}
    </Panel>
  );
}

type BarProps = { readonly length: number; readonly label: string; readonly free?: boolean };

function Bar({ length, label, free = false }: BarProps) {
  return (
    <span className={css.line}>
      <span className={css.track} aria-hidden="true">
        <i className={css.bar} data-free={free} style={{ width: `${length * 100}%` }} />
      </span>
      <span className={css.amount}>{label}</span>
    </span>
  );
}
