import type { Allocation } from '#shared/api/fleet.ts';
import { formatBytes, formatCores, formatNumber, formatShare } from '../../components/format-quantity.ts';
import { Panel } from '../../components/panel.tsx';
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

/** Shows who requests how much of a resource, as bars on one scale, with the unrequested rest last. */
export function AllocationPanel({ title, label, allocations, answer, resource }: AllocationPanelProps) {
  const { name, of, whole: wholeOf, format: message } = compute[resource];
  const whole = wholeOf(answer);
  const rows = mostFirst(allocations, resource);
  const free = whole === undefined ? undefined : Math.max(0, whole - requestedOf(allocations, resource));
  const longest = Math.max(...rows.map(of), free ?? 0, Number.MIN_VALUE);
  return (
    <Panel title={title} sub={`${rows.filter((row) => row.name !== undefined).length}`}>
      {rows.length === 0 ? (
        <p className={css.none}>
          {answer.complete
            ? 'No pod requests anything; everything was checked.'
            : 'No request in the data read. Not everything was read, so there may be some.'}
        </p>
      ) : (
        <div className={css.scroller}>
          <table className={css.table} aria-label={`${title}, ${name}`}>
            <thead>
              <tr>
                <th>{label === 'initiative' ? 'Initiative' : 'Tenant'}</th>
                <th className={css.barHead}>{name}</th>
                <th data-numbers="true">Share</th>
                <th data-numbers="true">Pods</th>
                {resource !== 'gpu' && (
                  <th data-numbers="true">{resource === 'cpu' ? 'Core hours' : 'GiB hours'}</th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const share = shareOf(of(row), whole);
                return (
                  <tr key={row.name ?? ''} data-nobody={row.name === undefined}>
                    <th
                      scope="row"
                      title={`${row.name ?? `Pods without a label for their ${label}`}: ${formatCores(row.cpu_cores)}, ${formatBytes(row.memory_bytes)}, ${row.gpus} GPUs`}
                    >
                      {row.name ?? 'Unlabelled'}
                    </th>
                    <td>
                      <Bar length={of(row) / longest} label={message(of(row))} />
                    </td>
                    <td data-numbers="true">{share !== undefined && formatShare(share)}</td>
                    <td data-numbers="true">{row.pods}</td>
                    {resource !== 'gpu' && (
                      <td data-numbers="true">
                        {formatNumber(resource === 'cpu' ? row.cpu_core_hours : row.memory_gib_hours)}
                      </td>
                    )}
                  </tr>
                );
              })}
              {free !== undefined && whole !== undefined && whole > 0 && (
                <tr data-nobody="true">
                  <th scope="row">Unallocated</th>
                  <td>
                    <Bar length={free / longest} label={message(free)} free />
                  </td>
                  <td data-numbers="true">{formatShare(free / whole)}</td>
                  <td />
                  {resource !== 'gpu' && <td />}
                </tr>
              )}
            </tbody>
          </table>
        </div>
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
