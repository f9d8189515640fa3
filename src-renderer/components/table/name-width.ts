/** Average width of a character of a name in pixels, rounded up so that names fit. */
const characterWidth = 7;

/** Paddings of the name's column, in pixels. */
const paddings = 36;

/** Pixels in which the names are shown whole, between the least and the most there is room for. */
export function nameWidth(names: readonly string[], least: number, most: number): number {
  const longest = Math.max(0, ...names.map((name) => name.length));
  return Math.min(most, Math.max(least, paddings + longest * characterWidth));
}
