/** Parts of the console's address, in the order they are written (CON-067). */
export const placeParts = ['tab', 'chat', 'app', 'panel', 'section'] as const;

/** Parts that narrow a page's list or open one thing of it, written after the others. */
export const viewParts = [
  'q',
  'actor',
  'action',
  'outcome',
  'kind',
  'repo',
  'state',
  'type',
  'severity',
  'since',
  'until',
  'days',
  'record',
  'run',
  'agent',
  'image',
  'sha',
  'target',
  'namespace',
  'name',
  'container',
  'previous',
] as const;

export type PlacePart = (typeof placeParts)[number] | (typeof viewParts)[number];

/** A place of the console: a page, what is open on it and what it is narrowed to. */
export type Place = { readonly [Part in PlacePart]?: string };

/** One value for every part of the address. */
export function eachPart<T>(value: T): Readonly<Record<PlacePart, T>> {
  const parts = [...placeParts, ...viewParts].map((part) => [part, value] as const);
  // `Object.fromEntries` forgets which names it was given.
  return Object.fromEntries(parts) as Record<PlacePart, T>;
}

/** The address of a place inside the console, such as `/?tab=forgeStudio&chat=new`. */
export function placeAddress(place: Place): string {
  const query = [...placeParts, ...viewParts].flatMap((part) => {
    const value = place[part];
    return value === undefined ? [] : [`${part}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? '/' : `/?${query.join('&')}`;
}
