/** Parts of the console's address, in the order they are written (spec/console.md, console deep link). */
export const placeParts = ['tab', 'chat', 'app', 'panel', 'section'] as const;

/** A place of the console: a page and what is open on it. */
export type Place = { readonly [Part in (typeof placeParts)[number]]?: string };

/** The address of a place inside the console, such as `/?tab=forgeStudio&chat=new`. */
export function placeAddress(place: Place): string {
  const query = placeParts.flatMap((part) => {
    const value = place[part];
    return value === undefined ? [] : [`${part}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? '/' : `/?${query.join('&')}`;
}
