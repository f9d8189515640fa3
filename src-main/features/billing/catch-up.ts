import type { Kysely } from 'kysely';
import { errorMessage } from '../../base/error-message.ts';
import type { PaymentHint, PaymentObjectKind, PaymentPage } from '../../sources/payments/index.ts';
import { takeHints, wantObjects } from './hints.ts';
import type { BillingTables } from './store.ts';
import type { SyncParts } from './sync.ts';

/** The provider lists the events of 30 days; before that ends everything is read anew. */
const mostBehind = 25 * 86_400_000;
/** How far before the newest known event is asked again, in ms: events appear in the list a moment after their time. */
const overlap = 600_000;
/** Pages of one list; a cursor that goes in circles ends there. */
const mostPages = 1_000;
/** Time an event's ID is kept, in ms: longer than the provider delivers or lists it. */
const eventsKept = 45 * 86_400_000;
/** Time an unpaid order is kept, in ms. */
const ordersKept = 30 * 86_400_000;

/**
 * Catches up with what was missed while nothing listened: the events since the last time, or, after too long and the first
 * time, every subscription and invoice. Marks what to fetch; the events' own content is not believed, nor a time ahead of
 * our clock. Throws what the provider fails with, after storing it; what was known stays.
 */
export async function catchUp(parts: SyncParts): Promise<void> {
  const { db, payments, now } = parts;
  const began = now();
  try {
    const { seen_until: seen } = await db
      .selectFrom('billing_catch_up')
      .select('seen_until')
      .executeTakeFirstOrThrow();
    const isNear = seen !== null && began - seen < mostBehind;
    let newest = isNear ? seen : 0;
    const take = async (hints: readonly PaymentHint[]): Promise<void> => {
      for (const { createdAt } of hints) newest = Math.max(newest, Math.min(createdAt, began));
      await takeHints(db, hints, now());
    };
    if (isNear) await eachPage((after) => payments.events(seen - overlap, after), take);
    else {
      // The newest event first: what happens while the lists are read comes after it, and is read again next time.
      const { items } = await payments.events(began - mostBehind, undefined);
      newest = items.reduce(
        (most, { createdAt }) => Math.max(most, Math.min(createdAt, began)),
        began - mostBehind,
      );
      await eachPage((after) => payments.subscriptionIds(after), want(db, 'subscription'));
      await eachPage((after) => payments.invoiceIds(after), want(db, 'invoice'));
      await wantOpenCheckouts(db);
    }
    await db
      .updateTable('billing_catch_up')
      .set({ seen_until: newest, caught_up_at: began, failure: null })
      .where('id', '=', 1)
      .execute();
    await forgetOld(db, began);
  } catch (error) {
    await db
      .updateTable('billing_catch_up')
      .set({ failure: errorMessage(error) })
      .where('id', '=', 1)
      .execute();
    throw error;
  }
}

function want(db: Kysely<BillingTables>, kind: PaymentObjectKind) {
  return async (ids: readonly string[]): Promise<void> => {
    await db.transaction().execute((tx) =>
      wantObjects(
        tx,
        ids.map((id) => ({ kind, id })),
      ),
    );
  };
}

/** A checkout has no list of its own here: those of orders that are still open are asked for by ID. */
async function wantOpenCheckouts(db: Kysely<BillingTables>): Promise<void> {
  const open = await db
    .selectFrom('billing_orders')
    .select('checkout')
    .where('state', '=', 'pending')
    .where('checkout', 'is not', null)
    .execute();
  await want(db, 'checkout')(open.flatMap(({ checkout }) => checkout ?? []));
}

async function eachPage<T>(
  read: (after: string | undefined) => Promise<PaymentPage<T>>,
  take: (items: readonly T[]) => Promise<void>,
): Promise<void> {
  let after: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { items, next } = await read(after);
    await take(items);
    if (next === undefined || next === after) return;
    after = next;
  }
  throw new Error(`the payment provider's list has more than ${mostPages} pages`);
}

async function forgetOld(db: Kysely<BillingTables>, now: number): Promise<void> {
  await db
    .deleteFrom('billing_events')
    .where('received_at', '<', now - eventsKept)
    .execute();
  await db
    .deleteFrom('billing_orders')
    .where('state', '!=', 'complete')
    .where('expires_at', '<', now - ordersKept)
    .execute();
}
