import type { PageAddress } from '#shared/page-address.ts';

/** Filter and open review in the address; `run` is the number of the open review's run. */
export type ReviewsView = {
  readonly q?: string | undefined;
  readonly type?: string | undefined;
  readonly repo?: string | undefined;
  readonly severity?: string | undefined;
  readonly run?: number | undefined;
  readonly posted?: boolean;
};

/** The address of the page so narrowed. */
export function reviewsAddress({ run, posted, ...narrowing }: ReviewsView): PageAddress {
  const given = Object.entries(narrowing).filter(([, value]) => value !== undefined);
  return {
    tab: 'reviews',
    ...Object.fromEntries(given),
    ...(run !== undefined && { run: String(run) }),
    ...(posted === true && { section: 'posted' }),
  };
}
