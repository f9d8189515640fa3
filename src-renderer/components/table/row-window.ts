/** The rows of a long list that are drawn: from `first` up to, not including, `last`. */
export type RowWindow = { readonly first: number; readonly last: number };

type View = {
  /** Pixels. */
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
};

/** Rows drawn beyond each edge of the view, so that a flick of the wheel meets rows and no gap. */
const spare = 16;

/** Which rows to draw. Moves in steps of half the spare rows, so that most scrolling draws nothing anew. */
export function rowWindow({ scrollTop, height, rowHeight, count }: View): RowWindow {
  const step = spare / 2;
  const top = Math.floor(Math.max(0, scrollTop) / rowHeight / step) * step;
  const shown = Math.ceil(height / rowHeight) + step;
  const first = Math.max(0, Math.min(top - spare, count - shown - spare));
  return { first, last: Math.min(count, top + shown + spare) };
}
