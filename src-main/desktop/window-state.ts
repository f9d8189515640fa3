import { z } from 'zod';

/** A rectangle on the desktop, in density-independent pixels. */
export type Area = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** The state of the window: its area when not maximised, and whether it was maximised. */
export type WindowState = Area & { readonly maximized: boolean };

/** The placement of the window; without `x` and `y` it is centred. */
export type Placement = {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly minWidth: number;
  readonly minHeight: number;
};

/** Smallest window the pages are drawn for. */
const smallest = { width: 1100, height: 700 } as const;
const first = { width: 1360, height: 860 } as const;

// Bounds beyond any desktop: a number no display can have must not reach the window system.
const pixel = z.number().int().min(-100_000).max(100_000);
const stateSchema = z.object({
  x: pixel,
  y: pixel,
  width: pixel.min(1),
  height: pixel.min(1),
  maximized: z.boolean(),
});

/** Reads the text of a state file; undefined when it is not one. */
export function parseWindowState(text: string): WindowState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Fits a saved window to the displays currently connected (`workAreas`, the primary one first): a window on
 * an unplugged display is centred, one that extends over an edge is moved in, one too large is made smaller.
 */
export function placeWindow(state: WindowState | undefined, workAreas: readonly Area[]): Placement {
  const areas = workAreas.length === 0 ? [{ x: 0, y: 0, ...first }] : workAreas;
  const [primary = { x: 0, y: 0, ...first }] = areas;
  const home = state === undefined ? undefined : mostCovered(state, areas);
  const area = home ?? primary;
  const minWidth = Math.min(smallest.width, area.width);
  const minHeight = Math.min(smallest.height, area.height);
  const width = within(state?.width ?? first.width, minWidth, area.width);
  const height = within(state?.height ?? first.height, minHeight, area.height);
  if (state === undefined || home === undefined) return { width, height, minWidth, minHeight };
  return {
    x: within(state.x, home.x, home.x + home.width - width),
    y: within(state.y, home.y, home.y + home.height - height),
    width,
    height,
    minWidth,
    minHeight,
  };
}

function mostCovered(window: Area, areas: readonly Area[]): Area | undefined {
  let best: Area | undefined;
  let bestCover = 0;
  for (const area of areas) {
    const wide = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
    const high = Math.min(window.y + window.height, area.y + area.height) - Math.max(window.y, area.y);
    const cover = Math.max(0, wide) * Math.max(0, high);
    if (cover > bestCover) [best, bestCover] = [area, cover];
  }
  return best;
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
