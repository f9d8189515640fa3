/** A version as releases are numbered: `1.4.0`, or `1.4.0-rc.2` before it. */
const form = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(?:-([0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*))?$/;

/** Returns whether a text is a version. */
export function isVersion(text: string): boolean {
  return text.length <= 64 && form.test(text);
}

/**
 * Compares two versions by their precedence (https://semver.org/#spec-item-11): below 0 when `a` is older. Throws for a
 * text that is no version.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < 3; i += 1) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.before.length === 0 || right.before.length === 0) return right.before.length - left.before.length;
  for (let i = 0; i < Math.max(left.before.length, right.before.length); i += 1) {
    const difference = compareLabels(left.before[i], right.before[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(text: string): { numbers: readonly number[]; before: readonly string[] } {
  const found = form.exec(text);
  if (found === null) throw new Error(`"${text.slice(0, 64)}" is no version`);
  return { numbers: found.slice(1, 4).map(Number), before: found[4]?.split('.') ?? [] };
}

function compareLabels(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const numeric = [a, b].map((label) => /^\d+$/.test(label));
  if (numeric[0] && numeric[1]) return Number(a) - Number(b);
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
