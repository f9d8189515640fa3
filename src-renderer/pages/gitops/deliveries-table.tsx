import { type Ref, useRef } from 'react';
import type { Delivery } from '#shared/api/delivery.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { type RowMoves, useMovingRows } from '../../components/list/use-moving-rows.ts';
import { State } from '../../components/state.tsx';
import { useRowHeight } from '../../components/table/use-row-height.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import css from './deliveries-table.module.css';
import { deliveryKey, healths, syncs } from './delivery-labels.ts';
import { Revision } from './revision.tsx';

type DeliveriesTableProps = {
  readonly ref: Ref<RowMoves<Delivery>>;
  readonly items: readonly Delivery[];
  /** The open one. */
  readonly open: string | undefined;
  readonly addressOf: (key: string) => string;
  readonly onOpen: (key: string) => void;
};

/** Deliveries, gravest first. Only the rows near the view exist. */
export function DeliveriesTable({ ref, items, open, addressOf, onOpen }: DeliveriesTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const { first, last } = useMovingRows({
    ref,
    scroller,
    items,
    keyOf: deliveryKey,
    open,
    rowHeight,
    // The head is a row as high as the others.
    headHeight: rowHeight,
  });

  return (
    <div ref={scroller} className={css.scroller}>
      <table className={css.table} aria-label="Deliveries" aria-rowcount={items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th className={css.name}>Delivery</th>
            <th className={css.repo}>Repository</th>
            <th className={css.sync}>Sync</th>
            <th className={css.health}>Health</th>
            <th className={css.revision}>Revision</th>
            <th className={css.since}>Since</th>
            <th className={css.why}>Why</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer height={first * rowHeight} />}
          {items.slice(first, last).map((item, index) => {
            const key = deliveryKey(item);
            return (
              <tr
                key={key}
                className={css.row}
                aria-rowindex={first + index + 2}
                data-open={key === open}
                onClick={() => onOpen(key)}
              >
                <td title={item.name}>
                  <a
                    className={css.link}
                    href={addressOf(key)}
                    data-key={key}
                    aria-current={key === open ? 'true' : undefined}
                    onClick={(event) => {
                      event.stopPropagation();
                      if (openedByPlainClick(event)) onOpen(key);
                    }}
                  >
                    {item.name}
                  </a>
                </td>
                <td className={css.repo} title={item.repo}>
                  {item.repo}
                </td>
                <td>
                  <State {...syncs[item.sync]} />
                </td>
                <td>
                  <State {...healths[item.health]} />
                </td>
                <td>
                  <Revision {...item} />
                </td>
                <td className={css.fact}>
                  <TimeAgo at={Date.parse(item.last_transition)} />
                </td>
                <td className={css.why} title={asSentence(item.detail)}>
                  {asSentence(item.detail)}
                </td>
              </tr>
            );
          })}
          {last < items.length && <Spacer height={(items.length - last) * rowHeight} />}
        </tbody>
      </table>
    </div>
  );
}

/** Room for the rows that are not drawn. One cell: spanning would make room for columns that are not shown. */
function Spacer({ height }: { readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td className={css.spacer} style={{ height }} />
    </tr>
  );
}
