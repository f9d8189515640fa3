import type { LogRows } from './log-rows.ts';

/** Height of a text row in pixels; also in the style sheet. */
export const lineHeight = 18;

/** Pixels a scroller's content may have: browsers end at 17 to 33 million. A longer log is scrolled in proportion. */
const tallest = 15_000_000;

/** Rows drawn beyond each edge of the view. */
const spare = 24;
const step = 8;

/** The scroller's content and its view, in pixels. */
export type Geometry = {
  /** Height of the rows. */
  readonly total: number;
  /** Height the content is given. */
  readonly content: number;
  readonly view: number;
};

export const geometryOf = (rows: LogRows, view: number): Geometry => {
  const total = rows.height * lineHeight;
  return { total, content: Math.min(total, tallest), view };
};

/** Pixels of the log above the view at a place of the scroller. */
export function aboveView({ total, content, view }: Geometry, scrollTop: number): number {
  if (total <= content || content <= view) return scrollTop;
  return Math.min(total - view, (scrollTop * (total - view)) / (content - view));
}

/** The scroller's place that shows what has so many pixels of the log above it. */
export function scrollTopFor({ total, content, view }: Geometry, above: number): number {
  const wanted = Math.max(0, Math.min(total - view, above));
  return total <= content || content <= view ? wanted : (wanted * (content - view)) / (total - view);
}

/** The rows to draw, and how far below the content's top the first of them stands. */
export type DrawnRows = { readonly first: number; readonly last: number; readonly top: number };

/** Returns the range of rows to draw. It moves in steps, so that most scrolling redraws nothing. */
export function drawnRows(rows: LogRows, geometry: Geometry, scrollTop: number): DrawnRows {
  const above = aboveView(geometry, scrollTop);
  const shown = rows.rowAt(above / lineHeight);
  const end = rows.rowAt((above + geometry.view) / lineHeight) + 1;
  const first = Math.max(0, Math.floor((shown - spare) / step) * step);
  const last = Math.min(rows.count, Math.ceil((end + spare) / step) * step);
  return { first, last, top: scrollTop + rows.topOf(first) * lineHeight - above };
}

/**
 * Returns the scroll position that brings a row into view: unchanged if it is visible, else with the row a third of the
 * way down.
 */
export function scrollTopOfRow(rows: LogRows, geometry: Geometry, scrollTop: number, row: number): number {
  const above = aboveView(geometry, scrollTop);
  const top = rows.topOf(row) * lineHeight;
  const bottom = rows.topOf(row + 1) * lineHeight;
  if (top >= above && bottom <= above + geometry.view) return scrollTop;
  return scrollTopFor(geometry, top - geometry.view / 3);
}
