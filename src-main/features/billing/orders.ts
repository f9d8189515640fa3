import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BillingOverview, Checkout, PlanCatalogue, Quote } from '#shared/api/billing.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Payments, PaymentsError } from '../../sources/payments/index.ts';
import { lookupKeyOf } from './plans.ts';
import type { BillingTables, OrderRow } from './store.ts';

/** Time for which an order without a checkout stays pending, in ms: as long as a checkout of the provider does. */
const orderLasts = 86_400_000;
/** Shortest time a checkout must still be open to be offered again, in ms. */
const leastLeft = 600_000;

export type OrderParts = {
  readonly db: Kysely<BillingTables>;
  /** Undefined while the payment provider is not set up. */
  readonly payments: Payments | undefined;
  readonly plans: PlanCatalogue;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type NewOrder = {
  readonly email: string;
  readonly quote: Quote;
  /** Pages of the console to return to. */
  readonly successUrl: string;
  readonly cancelUrl: string;
};

/**
 * Stores a pending order and begins its checkout. Without a provider there is no checkout. Throws `Unavailable`, and keeps
 * no order, when the provider fails or its price is not the catalogue's.
 */
export async function startOrder(parts: OrderParts, order: NewOrder): Promise<Checkout | undefined> {
  const { db, payments, now } = parts;
  const { email, quote } = order;
  const id = randomBytes(16).toString('hex');
  const at = now();
  const row: OrderRow = {
    id,
    email,
    plan: quote.plan,
    billing_interval: quote.interval,
    seats: quote.seats,
    currency: quote.currency,
    amount: quote.amount,
    state: 'pending',
    checkout: null,
    url: null,
    subscription: null,
    created_at: at,
    expires_at: at + orderLasts,
  };
  // Before the checkout: what the provider answers about it must find its order.
  await db.insertInto('billing_orders').values(row).execute();
  if (payments === undefined) return undefined;
  try {
    const price = await agreedPrice(payments, parts.plans, quote);
    const { id: checkout, ...shown } = await payments.startCheckout({
      id,
      purchaser: email,
      price,
      quote,
      successUrl: order.successUrl,
      cancelUrl: order.cancelUrl,
    });
    await db
      .updateTable('billing_orders')
      .set({ checkout, url: shown.url, expires_at: Date.parse(shown.expires_at) })
      .where('id', '=', id)
      .execute();
    return shown;
  } catch (error) {
    await db.deleteFrom('billing_orders').where('id', '=', id).execute();
    if (error instanceof PaymentsError)
      throw new ConsoleError('Unavailable', `No checkout was made. ${error.message}`, {}, { cause: error });
    throw error;
  }
}

/** Returns the provider's price for a quote. Throws `PaymentsError` unless it charges what was quoted. */
async function agreedPrice(payments: Payments, plans: PlanCatalogue, quote: Quote): Promise<string> {
  const key = lookupKeyOf(plans, quote);
  const price = await payments.price(key);
  if (price === undefined)
    throw new PaymentsError(
      `The payment provider has no active price with the lookup key ${key}: create it, ${moneyText(quote.amount, quote.currency)} a ${quote.interval}.`,
    );
  const { amount, currency, interval } = price;
  if (amount !== quote.amount || currency !== quote.currency || interval !== quote.interval)
    throw new PaymentsError(
      `The price ${key} at the payment provider is ${amount === undefined ? 'not a fixed amount' : moneyText(amount, currency)} a ${interval ?? 'different interval'}; the catalogue says ${moneyText(quote.amount, quote.currency)} a ${quote.interval}: correct one of them.`,
    );
  return price.id;
}

/** Returns the newest order of somebody that is still open, or undefined. */
export async function pendingOrder(
  { db, now }: Pick<OrderParts, 'db' | 'now'>,
  email: string,
): Promise<NonNullable<BillingOverview['pending']> | undefined> {
  const row = await db
    .selectFrom('billing_orders')
    .selectAll()
    .where('email', '=', email)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    quote: {
      plan: row.plan,
      interval: row.billing_interval,
      seats: row.seats,
      currency: row.currency,
      amount: row.amount,
      total: row.amount * row.seats,
    },
    created_at: new Date(row.created_at).toISOString(),
    ...(row.url === null
      ? {}
      : { checkout: { url: row.url, expires_at: new Date(row.expires_at).toISOString() } }),
  };
}

/** Returns the open checkout of an equal order of the same person, so that two clicks make one. */
export async function openCheckout(
  parts: Pick<OrderParts, 'db' | 'now'>,
  email: string,
  quote: Quote,
): Promise<Checkout | undefined> {
  const pending = await pendingOrder(parts, email);
  const { checkout } = pending ?? {};
  if (pending === undefined || checkout === undefined) return undefined;
  const isSame = (Object.keys(quote) as (keyof Quote)[]).every((key) => pending.quote[key] === quote[key]);
  return isSame && Date.parse(checkout.expires_at) - parts.now() > leastLeft ? checkout : undefined;
}

function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(minor / 10 ** maximumFractionDigits);
}
