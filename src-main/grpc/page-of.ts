import { ConsoleError } from '#shared/errors.ts';

/** Most items of a page. */
const largestPage = 500;

/** The paging fields of a list's request. */
export type PageRequest = { readonly pageSize: number; readonly pageToken: string };

/** One page of a list. */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextPageToken: string };

/**
 * Returns a page of a list that is read as a whole; its token is the number of items before it. A size of 0 takes
 * `usual`, by default all. Throws `BadInput` naming the field that is not valid.
 */
export function pageOf<Item>(
  all: readonly Item[],
  { pageSize, pageToken }: PageRequest,
  usual = all.length,
): Page<Item> {
  if (pageSize < 0 || pageSize > largestPage)
    throw new ConsoleError('BadInput', `page_size must be 0 to ${largestPage}.`);
  if (!/^\d{0,6}$/.test(pageToken))
    throw new ConsoleError('BadInput', 'page_token is none that this list gave: leave it out to begin anew.');
  const from = Number(pageToken);
  const to = from + (pageSize === 0 ? usual : pageSize);
  return { items: all.slice(from, to), nextPageToken: to < all.length ? String(to) : '' };
}
