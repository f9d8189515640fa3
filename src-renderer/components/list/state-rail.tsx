import { type ReactNode, useRef } from 'react';
import { capitalised } from '#shared/text.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { Glyph } from '../glyph.tsx';
import { Spoken } from '../spoken.tsx';
import { useEntries, useVirtualRows } from '../table/use-virtual-rows.ts';
import { shownState } from './listed.ts';
import css from './state-rail.module.css';
import { useOneStop } from './use-one-stop.ts';
import type { StateList } from './use-state-list.ts';

/** Row height in pixels; must match the style sheet. */
const rowHeight = 52;

type StateRailProps<Item> = {
  readonly list: StateList<Item>;
  /** The second line of a row. */
  readonly sub: (item: Item) => ReactNode;
};

/** A page's things as a narrow list beside the reading of the open one. Only the rows near the view exist. */
export function StateRail<Item>({ list, sub }: StateRailProps<Item>) {
  const { listed, items, open } = list;
  const scroller = useRef<HTMLElement>(null);
  const { first, last } = useVirtualRows({
    ref: list.moves,
    scroller,
    entries: useEntries(items),
    keyOf: listed.key,
    open,
    rowHeight,
    headHeight: 0,
  });
  useOneStop(scroller);
  return (
    <nav ref={scroller} className={css.rail} aria-label={capitalised(listed.many)}>
      <ul style={{ paddingTop: first * rowHeight, paddingBottom: (items.length - last) * rowHeight }}>
        {items.slice(first, last).map((item) => {
          const key = listed.key(item);
          const { state, label } = shownState(listed, listed.state(item));
          return (
            <li key={key}>
              <a
                className={css.row}
                href={list.addressOf(key)}
                data-key={key}
                aria-current={key === open ? 'true' : undefined}
                onClick={(event) => {
                  if (openedByPlainClick(event)) list.show(key);
                }}
              >
                <Glyph state={state} />
                <Spoken>{`${label}: `}</Spoken>
                <span className={css.name} title={listed.title(item)}>
                  {listed.title(item)}
                </span>
                <span className={css.sub}>{sub(item)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
