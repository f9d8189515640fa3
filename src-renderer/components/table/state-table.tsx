import { type CSSProperties, type ReactNode, useRef } from 'react';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { shownState } from '../list/listed.ts';
import { asSentence, capital } from '../list/sentence.ts';
import { useMovingRows } from '../list/use-moving-rows.ts';
import type { StateList } from '../list/use-state-list.ts';
import { State } from '../state.tsx';
import { WithCode } from '../with-code.tsx';
import css from './state-table.module.css';
import { useRowHeight } from './use-row-height.ts';

/** A column between the name and state of a thing and the reason for it. */
export type Column<Item> = {
  readonly head: string;
  /** Pixels; where the window is wide, `wide`. */
  readonly width: number;
  readonly wide?: number;
  readonly numbers?: boolean;
  /** Left out where there is little room: `third` first, already in the smallest window. */
  readonly drop?: 'first' | 'second' | 'third';
  cell(item: Item): ReactNode;
  /** In full on hover, where a cell may be too narrow for it. */
  hover?(item: Item): string | undefined;
};

type StateTableProps<Item> = {
  readonly list: StateList<Item>;
  readonly columns: readonly Column<Item>[];
  /** Pixels of the name's column. */
  readonly nameWidth?: number;
  /** What the last column tells the reason of, where that is not the state. */
  readonly whyHead?: string;
};

/** Things of a page, worst first: name, state, facts, and why. Only the rows near the view exist. */
export function StateTable<Item>({ list, columns, nameWidth = 220, whyHead = 'Why' }: StateTableProps<Item>) {
  const { listed, items, open, addressOf, show } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const { first, last } = useMovingRows({
    ref: list.rows,
    scroller,
    items,
    keyOf: listed.key,
    open,
    rowHeight,
    headHeight: rowHeight,
  });
  return (
    <div ref={scroller} className={css.scroller}>
      <table className={css.table} aria-label={capital(listed.many)} aria-rowcount={items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th style={widths(nameWidth, Math.round(nameWidth * 1.4))}>{capital(listed.one)}</th>
            <th style={widths(104)}>State</th>
            {columns.map(({ head, width, wide, numbers = false, drop }) => (
              <th key={head} style={widths(width, wide)} data-numbers={numbers} data-drop={drop}>
                {head}
              </th>
            ))}
            <th data-drop="why">{whyHead}</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer height={first * rowHeight} />}
          {items.slice(first, last).map((item, index) => {
            const key = listed.key(item);
            const why = listed.why(item);
            const sentence = why === undefined ? undefined : asSentence(why);
            return (
              <tr
                key={key}
                className={css.row}
                aria-rowindex={first + index + 2}
                data-open={key === open}
                onClick={() => show(key)}
              >
                <td title={listed.title(item)}>
                  <a
                    className={css.link}
                    href={addressOf(key)}
                    data-key={key}
                    aria-current={key === open ? 'true' : undefined}
                    onClick={(event) => {
                      event.stopPropagation();
                      if (openedByPlainClick(event)) show(key);
                    }}
                  >
                    {listed.title(item)}
                  </a>
                </td>
                <td>
                  <State {...shownState(listed, listed.state(item))} />
                </td>
                {columns.map(({ head, numbers = false, drop, cell, hover }) => (
                  <td
                    key={head}
                    className={css.fact}
                    data-numbers={numbers}
                    data-drop={drop}
                    title={hover?.(item)}
                  >
                    {cell(item)}
                  </td>
                ))}
                <td className={css.fact} data-drop="why" title={sentence}>
                  {sentence !== undefined && <WithCode>{sentence}</WithCode>}
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

/** A column's width as the style sheet reads it: custom properties are not in React's list of styles. */
const widths = (width: number, wide = width): CSSProperties =>
  ({ '--column': `${width}px`, '--column-wide': `${wide}px` }) as CSSProperties;

/** Room for the rows that are not drawn. One cell: spanning would make room for columns that are not shown. */
function Spacer({ height }: { readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td className={css.spacer} style={{ height }} />
    </tr>
  );
}
