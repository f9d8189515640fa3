import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { errorMessage } from '../../base/error-message.ts';
import { inParallel } from '../../base/in-parallel.ts';
import {
  type CheckoutFacts,
  type InvoiceFacts,
  type Payments,
  PaymentsError,
  type SubscriptionFacts,
} from '../../sources/payments/index.ts';
import { type PaymentObject, wantObjects } from './hints.ts';
import type { BillingTables } from './store.ts';

/** Longest time a fetch is held for, in ms: longer than the provider may take with its retries. */
const claimMs = 60_000;
/** Objects fetched at the same time by one console. */
const width = 4;
/** Objects of one pass over what is not up to date. */
const perPass = 200;
const firstWait = 1_000;
const longestWait = 600_000;

export type SyncLog = { warn(fields: object, message: string): void };

export type SyncParts = {
  readonly db: Kysely<BillingTables>;
  readonly payments: Payments;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: SyncLog;
};

/**
 * Fetches an object until nothing was hinted since the last fetch began, and writes what was fetched. At most one fetch of
 * an object is under way on all consoles of the database: a slower, older answer can never replace a newer one. Resolves at
 * once when somebody else is at it, who then fetches again. A failure is stored with the time of the next try.
 */
async function syncObject(parts: SyncParts, object: PaymentObject): Promise<void> {
  const { db, now } = parts;
  for (;;) {
    const claim = randomUUID();
    const held = await claimObject(db, object, { claim, now: now() });
    if (held === undefined) return;
    try {
      await fetchAndWrite(parts, object, { claim, wanted: held.wanted });
    } catch (error) {
      if (error instanceof LostClaim) return;
      await putOff(parts, object, { claim, attempts: held.attempts, error });
      return;
    }
  }
}

/** Fetches what is not up to date and may be tried again now. Returns how many there were. */
export async function syncPending(parts: SyncParts): Promise<number> {
  const pending = await parts.db
    .selectFrom('billing_objects')
    .select(['kind', 'id'])
    .whereRef('wanted', '>', 'synced')
    .where('not_before', '<=', parts.now())
    .where((eb) => isFree(eb, parts.now()))
    .orderBy('not_before')
    .orderBy('id')
    .limit(perPass)
    .execute();
  await inParallel(pending, width, (object) => syncObject(parts, object));
  return pending.length;
}

/** The error for a fetch that took so long that somebody else may have begun another one: what it brought is dropped. */
class LostClaim extends Error {}

async function claimObject(
  db: Kysely<BillingTables>,
  { kind, id }: PaymentObject,
  { claim, now }: { readonly claim: string; readonly now: number },
): Promise<{ wanted: number; attempts: number } | undefined> {
  return (
    db
      .updateTable('billing_objects')
      .set({ claim, claimed_until: now + claimMs })
      .where('kind', '=', kind)
      .where('id', '=', id)
      .whereRef('wanted', '>', 'synced')
      .where('not_before', '<=', now)
      // A time further ahead than any claim was taken by a clock that was put back since.
      .where((eb) =>
        eb.or([
          eb('claim', 'is', null),
          eb('claimed_until', '<=', now),
          eb('claimed_until', '>', now + claimMs),
        ]),
      )
      .returning(['wanted', 'attempts'])
      .executeTakeFirst()
  );
}

/** Whether nobody fetches it. A claim that ends later than any can was made by a clock that was put back since. */
function isFree(eb: ExpressionBuilder<BillingTables, 'billing_objects'>, now: number) {
  return eb.or([
    eb('claim', 'is', null),
    eb('claimed_until', '<=', now),
    eb('claimed_until', '>', now + claimMs),
  ]);
}

async function fetchAndWrite(
  { db, payments, now }: SyncParts,
  object: PaymentObject,
  { claim, wanted }: { readonly claim: string; readonly wanted: number },
): Promise<void> {
  const at = now();
  const write = await fetched(payments, object, at);
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('billing_objects')
      .set({ synced: wanted, attempts: 0, not_before: 0, claim: null, claimed_until: 0, failure: null })
      .where('kind', '=', object.kind)
      .where('id', '=', object.id)
      .where('claim', '=', claim)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LostClaim();
    await write(tx);
  });
}

type Write = (tx: Transaction<BillingTables>) => Promise<void>;

async function fetched(payments: Payments, { kind, id }: PaymentObject, at: number): Promise<Write> {
  switch (kind) {
    case 'subscription': {
      const facts = await payments.subscription(id);
      return (tx) => writeSubscription(tx, id, facts, at);
    }
    case 'invoice': {
      const facts = await payments.invoice(id);
      return (tx) => writeInvoice(tx, id, facts, at);
    }
    case 'checkout': {
      const facts = await payments.checkout(id);
      return (tx) => writeCheckout(tx, id, facts);
    }
  }
}

async function writeSubscription(
  tx: Transaction<BillingTables>,
  id: string,
  facts: SubscriptionFacts | undefined,
  at: number,
): Promise<void> {
  if (facts === undefined) {
    // The provider keeps those that ended; one it does not have was test data that somebody deleted.
    await tx.deleteFrom('billing_subscriptions').where('id', '=', id).execute();
    await tx.deleteFrom('billing_seats').where('subscription', '=', id).execute();
    return;
  }
  const row = {
    customer: facts.customer,
    purchaser: facts.purchaser ?? null,
    status: facts.status,
    lookup_key: facts.lookupKey ?? null,
    billing_interval: facts.interval ?? null,
    seats: facts.seats,
    period_end: facts.periodEnd ?? null,
    cancel_at: facts.cancelAt ?? null,
    test: facts.test ? 1 : 0,
    created_at: facts.createdAt,
    read_at: at,
  };
  await tx
    .insertInto('billing_subscriptions')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function writeInvoice(
  tx: Transaction<BillingTables>,
  id: string,
  facts: InvoiceFacts | undefined,
  at: number,
): Promise<void> {
  if (facts === undefined) {
    // A draft that was deleted.
    await tx.deleteFrom('billing_invoices').where('id', '=', id).execute();
    return;
  }
  const row = {
    subscription: facts.subscription ?? null,
    number: facts.number ?? null,
    status: facts.status,
    currency: facts.currency,
    total: facts.total,
    created_at: facts.createdAt,
    url: facts.url ?? null,
    read_at: at,
  };
  await tx
    .insertInto('billing_invoices')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Ends the order of a checkout, and has the subscription fetched that came of it. */
async function writeCheckout(
  tx: Transaction<BillingTables>,
  id: string,
  facts: CheckoutFacts | undefined,
): Promise<void> {
  const state = facts === undefined ? 'expired' : facts.status === 'open' ? 'pending' : facts.status;
  const subscription = facts?.subscription;
  await tx
    .updateTable('billing_orders')
    .set({ state, subscription: subscription ?? null })
    .where('checkout', '=', id)
    .execute();
  if (subscription !== undefined) await wantObjects(tx, [{ kind: 'subscription', id: subscription }]);
}

/** Stores a failure and when the object is tried again: later each time, and not before the provider said. */
async function putOff(
  { db, now, log }: SyncParts,
  { kind, id }: PaymentObject,
  { claim, attempts, error }: { readonly claim: string; readonly attempts: number; readonly error: unknown },
): Promise<void> {
  const known = error instanceof PaymentsError;
  const wait = Math.max(
    known ? (error.retryAfter ?? 0) : 0,
    Math.min(longestWait, firstWait * 2 ** Math.min(attempts, 20)),
  );
  const failure = known ? error.message : 'It could not be stored: the log has the reason.';
  log.warn(
    { kind, id, attempts: attempts + 1, reason: errorMessage(error) },
    'a payment object was not fetched',
  );
  await db
    .updateTable('billing_objects')
    .set({ attempts: attempts + 1, not_before: now() + wait, claim: null, claimed_until: 0, failure })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}
