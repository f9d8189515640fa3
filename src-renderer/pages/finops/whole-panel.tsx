import { formatShare } from '../../components/format-quantity.ts';
import { NotReadCell } from '../../components/table/not-read-cell.tsx';
import { compute, type Resource, requestedOf, resources, shareOf } from './compute.ts';
import type { FinopsAnswer } from './finops-query.ts';
import css from './whole-panel.module.css';

/** Shows, for each resource, how much of all nodes is requested and how much is not. */
export function WholePanel({ answer }: { readonly answer: FinopsAnswer }) {
  return (
    <section className={css.whole} aria-label="The whole cluster">
      {resources.map((resource) => (
        <Meter key={resource} resource={resource} answer={answer} />
      ))}
    </section>
  );
}

function Meter({ resource, answer }: { readonly resource: Resource; readonly answer: FinopsAnswer }) {
  const { name, whole: wholeOf, format } = compute[resource];
  const requested = requestedOf(answer.by_initiative, resource);
  const whole = wholeOf(answer);
  const share = shareOf(requested, whole);
  return (
    <div className={css.meter}>
      <h2 className={css.name}>
        {name}
        {whole === undefined ? <NotReadCell width={64} /> : <b>{format(whole)}</b>}
      </h2>
      <span className={css.bar} aria-hidden="true">
        <i style={{ flexGrow: Math.min(1, share ?? 0) }} />
        <i style={{ flexGrow: Math.max(0, 1 - (share ?? 0)) }} data-free="true" />
      </span>
      <p className={css.words}>
        <b>{format(requested)}</b> requested
        {share !== undefined && whole !== undefined && (
          <>
            , {formatShare(share)}. <b>{format(Math.max(0, whole - requested))}</b> unallocated,{' '}
            {formatShare(Math.max(0, 1 - share))}.
          </>
        )}
        {share === undefined &&
          (whole === 0 ? '. The nodes have none.' : '. The capacity of the nodes was not read.')}
      </p>
    </div>
  );
}
