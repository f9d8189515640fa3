import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { capitalised } from '#shared/text.ts';
import { State } from '../state.tsx';
import { nameWidth } from '../table/name-width.ts';
import type { TableColumn } from '../table/table-column.ts';
import { WithCode } from '../with-code.tsx';
import { type Listed, shownState } from './listed.ts';
import { asSentence } from './sentence.ts';

/** Columns of a state list's table besides name, state and reason. */
export type StateColumns<Item> = {
  readonly columns?: readonly TableColumn<Item>[] | undefined;
  /** Pixels of the name's column, or the least and the most it may have. A constant of the page. */
  readonly nameWidth?: number | { readonly least: number; readonly most: number } | undefined;
  /** Title of the last column, if it holds something other than the reason for the state. */
  readonly whyTitle?: string | undefined;
};

/** A table this wide has room for wide columns, in pixels. */
const wideFrom = 1400;

/** Up to this width of the table the name leaves most room to the reason, in pixels. */
const narrowBelow = 620;

/** The name's part of a narrow table. */
const narrowName = 0.27;

/** A column's width: wider where the table is wide. */
export const widens = (width: number, wide: number) => (view: number) => (view >= wideFrom ? wide : width);

/** From which width of the table a column is shown, in pixels: `third` gives way first. */
export const fits = { first: 761, second: 961, third: 1201 } as const;

/** Name, state, the page's own columns, and why. */
export function columnsOf<Item>(
  listed: Listed<Item>,
  { columns = [], whyTitle }: StateColumns<Item>,
): readonly TableColumn<Item>[] {
  const why = (item: Item) => {
    const clause = listed.why(item);
    return clause === undefined ? undefined : asSentence(clause);
  };
  return [
    {
      id: 'name',
      title: capitalised(listed.one),
      link: true,
      value: listed.title,
      hover: listed.title,
    },
    {
      id: 'state',
      title: 'State',
      width: 104,
      value: (item) => shownState(listed, listed.state(item)).label,
      rank: (item) => healthWorstFirst.indexOf(listed.state(item)),
      cell: (item) => <State {...shownState(listed, listed.state(item))} />,
    },
    // The reason for the state is what a row is for: in a narrow table the page's own columns give way to it.
    ...columns.map((column) => ({
      quiet: true as const,
      ...(whyTitle === undefined && { from: narrowBelow + 1 }),
      ...column,
    })),
    {
      id: 'why',
      title: whyTitle ?? 'Why',
      ...(whyTitle !== undefined && { from: narrowBelow + 1 }),
      quiet: true,
      value: why,
      cell: (item) => {
        const sentence = why(item);
        return sentence !== undefined && <WithCode>{sentence}</WithCode>;
      },
      hover: why,
    },
  ];
}

/** The columns with the width of the name, which depends on the names where it has a least and a most. */
export function withNameWidth<Item>(
  [name, ...others]: readonly TableColumn<Item>[],
  names: readonly string[],
  wanted: StateColumns<Item>['nameWidth'] = 220,
): readonly TableColumn<Item>[] {
  if (name === undefined) return [];
  const pixels = typeof wanted === 'number' ? wanted : nameWidth(names, wanted.least, wanted.most);
  const widened = widens(pixels, Math.round(pixels * 1.4));
  return [
    { ...name, width: (view) => (view > narrowBelow ? widened(view) : Math.round(view * narrowName)) },
    ...others,
  ];
}
