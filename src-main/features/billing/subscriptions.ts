import type { Kysely } from 'kysely';
import type { Invoice, PlanCatalogue, Subscription } from '#shared/api/billing.ts';
import { ConsoleError } from '#shared/errors.ts';
import { planOfKey } from './plans.ts';
import type { BillingTables, InvoiceRow, SubscriptionRow } from './store.ts';

/** States in which seats can be used; `past_due` while the provider still tries to collect. */
const usableStates = new Set(['active', 'trialing', 'past_due']);
const mostSubscriptions = 50;
const mostInvoices = 100;

/** Returns the subscriptions somebody bought: usable ones first, then newest first. */
export async function subscriptionsOf(
  db: Kysely<BillingTables>,
  plans: PlanCatalogue,
  email: string,
): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('billing_subscriptions')
    .selectAll()
    .where('purchaser', '=', email)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostSubscriptions)
    .execute();
  const all = rows.map((row) => subscriptionOf(row, plans));
  return [...all.filter(({ usable }) => usable), ...all.filter(({ usable }) => !usable)];
}

/** Returns the invoices of subscriptions, newest first. */
export async function invoicesOf(
  db: Kysely<BillingTables>,
  subscriptions: readonly Subscription[],
): Promise<Invoice[]> {
  if (subscriptions.length === 0) return [];
  const rows = await db
    .selectFrom('billing_invoices')
    .selectAll()
    .where(
      'subscription',
      'in',
      subscriptions.map(({ id }) => id),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostInvoices)
    .execute();
  return rows.map(invoiceOf);
}

function subscriptionOf(row: SubscriptionRow, plans: PlanCatalogue): Subscription {
  return {
    id: row.id,
    ...planOfKey(plans, row.lookup_key),
    status: row.status,
    usable: usableStates.has(row.status),
    seats: row.seats,
    ...(row.period_end === null ? {} : { current_period_end: timeText(row.period_end) }),
    ...(row.cancel_at === null ? {} : { cancel_at: timeText(row.cancel_at) }),
    test: row.test === 1,
    read_at: timeText(row.read_at),
  };
}

const invoiceOf = (row: InvoiceRow): Invoice => ({
  id: row.id,
  ...(row.number === null ? {} : { number: row.number }),
  status: row.status,
  currency: row.currency,
  total: row.total,
  created_at: timeText(row.created_at),
  ...(row.url === null || !/^https?:\/\//.test(row.url) ? {} : { url: row.url }),
});

const timeText = (at: number): string => new Date(at).toISOString();

/** Returns who holds seats of a subscription, by address. */
export async function seatsOf(
  db: Kysely<BillingTables>,
  subscription: string,
): Promise<{ email: string; added_at: string }[]> {
  const rows = await db
    .selectFrom('billing_seats')
    .select(['email', 'added_at'])
    .where('subscription', '=', subscription)
    .orderBy('email')
    .execute();
  return rows.map(({ email, added_at }) => ({ email, added_at: timeText(added_at) }));
}

/** Gives a seat to somebody; to who holds one it changes nothing. Throws `Refused` when the subscription has none free. */
export async function addSeat(
  db: Kysely<BillingTables>,
  { subscription, email, at }: { readonly subscription: string; readonly email: string; readonly at: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Takes the row's lock: of two who give the last seat away, one finds none free.
    const row = await tx
      .updateTable('billing_subscriptions')
      .set((eb) => ({ seats: eb.ref('seats') }))
      .where('id', '=', subscription)
      .returning(['seats', 'status'])
      .executeTakeFirst();
    if (row === undefined || !usableStates.has(row.status))
      throw new ConsoleError(
        'Refused',
        `The subscription is ${row?.status ?? 'gone'}: its seats cannot be given away.`,
      );
    const held = await tx
      .selectFrom('billing_seats')
      .select('email')
      .where('subscription', '=', subscription)
      .execute();
    if (held.some((seat) => seat.email === email)) return;
    if (held.length >= row.seats)
      throw new ConsoleError(
        'Refused',
        `All ${row.seats} seats are taken: take one back, or buy more with the payment provider.`,
      );
    await tx.insertInto('billing_seats').values({ subscription, email, added_at: at }).execute();
  });
}

/** Takes a seat back. Throws `NotFound` when that person holds none. */
export async function removeSeat(
  db: Kysely<BillingTables>,
  { subscription, email }: { readonly subscription: string; readonly email: string },
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('billing_seats')
    .where('subscription', '=', subscription)
    .where('email', '=', email)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new ConsoleError('NotFound', `${email} holds no seat.`);
}
