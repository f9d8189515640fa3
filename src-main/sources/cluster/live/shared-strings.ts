/** Makes equal texts one text, in place: image names, nodes, reasons and label values come by the thousand. */
export type SharedStrings = <T>(value: T) => T;

/** Shorter ones cost less than the look-up; longer ones are messages, which rarely repeat. */
const shortest = 4;
const longest = 250;
const most = 50_000;

export function createSharedStrings(): SharedStrings {
  const known = new Map<string, string>();
  const share = (text: string): string => {
    if (text.length < shortest || text.length > longest) return text;
    const found = known.get(text);
    if (found !== undefined) return found;
    // Starting over drops strings no object holds; a few strings are then held twice.
    if (known.size >= most) known.clear();
    known.set(text, text);
    return text;
  };
  const walk = (value: unknown, unique: boolean): unknown => {
    if (typeof value === 'string') return unique ? value : share(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) value[at] = walk(value[at], false);
      return value;
    }
    for (const key in value) {
      const field: unknown = value[key as keyof typeof value];
      if (typeof field === 'string' || (typeof field === 'object' && field !== null))
        Reflect.set(value, key, walk(field, ownKeys.has(key)));
    }
    return value;
  };
  return (value) => {
    walk(value, false);
    return value;
  };
}

/** Fields that are another text in every object. */
const ownKeys = new Set(['uid', 'resourceVersion', 'name', 'message']);
