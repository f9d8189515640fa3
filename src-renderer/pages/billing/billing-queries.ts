import { queryOptions } from '@tanstack/react-query';
import { call } from '../../core/api.ts';

/** While an order is open its payment may be confirmed at any moment, in ms. */
const pendingEveryMs = 3_000;
const everyMs = 30_000;

/** Reads the caller's subscriptions, invoices and open order. */
export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: () => call('billing.overview'),
  refetchInterval: ({ state }) => (state.data?.pending === undefined ? everyMs : pendingEveryMs),
});

/** Reads who holds the seats of the caller's subscription. */
export const seatsQuery = queryOptions({
  queryKey: ['billing', 'seats'],
  queryFn: () => call('billing.seats'),
});
