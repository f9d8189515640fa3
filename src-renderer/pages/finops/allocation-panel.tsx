import type { Allocation } from '#shared/api/fleet.ts';
import { Panel } from '../../components/panel.tsx';
import { bytesWords, coresWords, numberWords, shareWords } from '../../components/quantity-words.ts';
import css from './allocation-panel.module.css';
import { askedFor, compute, mostFirst, type Resource, shareOf } from './compute.ts';
import type { FinopsAnswer } from './finops-query.ts';

type AllocationPanelProps = {
  readonly title: string;
  /** The label that says whose a pod is. */
  readonly label: 'initiative' | 'tenant';
  readonly allocations: readonly Allocation[];
  readonly answer: FinopsAnswer;
  readonly resource: Resource;
};

/** Who asks for how much of a resource, as bars on one scale, with what nobody asks for last. */
export function AllocationPanel({ title, label, allocations, answer, resource }: AllocationPanelProps) {
  const { name, of, whole: wholeOf, words } = compute[resource];
  const whole = wholeOf(answer);
  const rows = mostFirst(allocations, resource);
  const free = whole === undefined ? undefined : Math.max(0, whole - askedFor(allocations, resource));
  const longest = Math.max(...rows.map(of), free ?? 0, Number.MIN_VALUE);
  return (
    <Panel title={title} sub={`${rows.filter((row) => row.name !== undefined).length}`}>
      {rows.length === 0 ? (
        <p className={css.none}>
          {answer.complete
            ? 'No pod asks for anything. Everything was read, so this is a real zero.'
            : 'No request among what was read. Not everything was read, so there may be some.'}
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
                      title={`${row.name ?? `Pods without a label for their ${label}`}: ${coresWords(row.cpu_cores)}, ${bytesWords(row.memory_bytes)}, ${row.gpus} GPUs`}
                    >
                      {row.name ?? 'Unlabelled'}
                    </th>
                    <td>
                      <Bar length={of(row) / longest} words={words(of(row))} />
                    </td>
                    <td data-numbers="true">{share !== undefined && shareWords(share)}</td>
                    <td data-numbers="true">{row.pods}</td>
                    {resource !== 'gpu' && (
                      <td data-numbers="true">
                        {numberWords(resource === 'cpu' ? row.cpu_core_hours : row.memory_gib_hours)}
                      </td>
                    )}
                  </tr>
                );
              })}
              {free !== undefined && whole !== undefined && whole > 0 && (
                <tr data-nobody="true">
                  <th scope="row">Unallocated</th>
                  <td>
                    <Bar length={free / longest} words={words(free)} free />
                  </td>
                  <td data-numbers="true">{shareWords(free / whole)}</td>
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

type BarProps = { readonly length: number; readonly words: string; readonly free?: boolean };

function Bar({ length, words, free = false }: BarProps) {
  return (
    <span className={css.line}>
      <span className={css.track} aria-hidden="true">
        <i className={css.bar} data-free={free} style={{ width: `${length * 100}%` }} />
      </span>
      <span className={css.amount}>{words}</span>
    </span>
  );
}
