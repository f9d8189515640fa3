const units: Readonly<Record<string, number>> = {
  y: 365 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

/** Returns the milliseconds of an age as kubectl prints it, such as `5m30s` or `2d4h`; undefined for anything else. */
export function ageIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:\d+[ydhms])+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, count = '0', unit = ''] of text.matchAll(/(\d+)([ydhms])/g))
    sum += Number(count) * (units[unit] ?? 0);
  return sum;
}

/** Prefix of a time that is known only as an age: it is filled in once the time of the text is known. */
const before = '@-';

/** Returns a time as so many milliseconds before the text was printed. */
export const ago = (ms: number): string => `${before}${ms}`;

/** Returns a time of `kubectl describe`, such as `Mon, 23 Nov 2026 01:02:03 +0000`, as ISO 8601; undefined for none. */
export function timeOfText(text: string | undefined): string | undefined {
  const ms = Date.parse((text ?? '').replace(/^([A-Z][a-z]{2}), /, '$1 '));
  return Number.isNaN(ms) || !/\d{4}/.test(text ?? '') ? undefined : new Date(ms).toISOString();
}

/** Returns a value with the times that were ages filled in. */
export function withTimes(value: unknown, now: number): unknown {
  if (typeof value === 'string')
    return value.startsWith(before) && /^@-\d+$/.test(value)
      ? new Date(now - Number(value.slice(before.length))).toISOString()
      : value;
  if (Array.isArray(value)) return value.map((each: unknown) => withTimes(each, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTimes(each, now)]));
}

/** Returns the newest time that stands in a value as ISO 8601; undefined for none. Days to come, such as expiries, are not counted. */
export function newestTime(value: unknown, key = ''): number | undefined {
  if (typeof value === 'string') {
    if (!/(?:Time|Timestamp|At|startedAt|finishedAt)$/.test(key) || !/^\d{4}-\d\d-\d\dT/.test(value))
      return undefined;
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? undefined : ms;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  let newest: number | undefined;
  for (const [name, each] of Object.entries(value)) {
    // A deletion is due at its time, which may be still to come.
    const own =
      name === 'deletionTimestamp' || /^not(?:After|Before)$/.test(name) ? undefined : newestTime(each, name);
    if (own !== undefined && (newest === undefined || own > newest)) newest = own;
  }
  return newest;
}
