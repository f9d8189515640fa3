/** Parts of the console's address, in the order they are written (CON-067). */
export const addressParts = ['tab', 'chat', 'app', 'panel', 'section'] as const;

/** Parts that narrow a page's list or open one thing of it, written after the others. */
export const viewParts = [
  'q',
  'actor',
  'action',
  'outcome',
  'kind',
  'repo',
  'workflows',
  'state',
  'type',
  'severity',
  'since',
  'until',
  'days',
  'sort',
  'hide',
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
  'tail',
  'timestamps',
  'wrap',
  'follow',
  'selector',
  'level',
  'without',
  'tenant',
] as const;

export type AddressPart = (typeof addressParts)[number] | (typeof viewParts)[number];

/** A place of the console: a page, what is open on it and what it is narrowed to. */
export type PageAddress = { readonly [Part in AddressPart]?: string };

/** One value for every part of the address. */
export function eachPart<T>(value: T): Readonly<Record<AddressPart, T>> {
  const parts = [...addressParts, ...viewParts].map((part) => [part, value] as const);
  // `Object.fromEntries` forgets which names it was given.
  return Object.fromEntries(parts) as Record<AddressPart, T>;
}

/** The address of a place inside the console, such as `/?tab=forgeStudio&chat=new`. */
export function pageHref(page: PageAddress): string {
  const query = [...addressParts, ...viewParts].flatMap((part) => {
    const value = page[part];
    return value === undefined ? [] : [`${part}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? '/' : `/?${query.join('&')}`;
}

/** Reads the place that an address inside the console names, such as one that the console answered. */
export function placeIn(address: string): PageAddress {
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  return Object.fromEntries(
    [...addressParts, ...viewParts].flatMap((part) => {
      const value = query.get(part);
      return value === null ? [] : [[part, value]];
    }),
  );
}
