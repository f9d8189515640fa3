/** Levels of objects and lists within an object, beyond those of any real definition (some 40). */
export const deepestObject = 100;

/** Returns whether objects and lists are nested deeper in a value than `levels`. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
