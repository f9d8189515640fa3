import type { Kysely } from 'kysely';
import type { BillingInterval } from '#shared/api/billing.ts';
import type { PaymentObjectKind } from '../../sources/payments/index.ts';
import type { Migrations } from '../../store/index.ts';

/** An order that somebody began; `state` is `pending` until its checkout says otherwise. Times are epoch milliseconds. */
export type OrderRow = {
  id: string;
  email: string;
  plan: string;
  billing_interval: BillingInterval;
  seats: number;
  currency: string;
  amount: number;
  state: 'pending' | 'complete' | 'expired';
  checkout: string | null;
  url: string | null;
  subscription: string | null;
  created_at: number;
  expires_at: number;
};

/** A subscription as it was last fetched from the provider. */
export type SubscriptionRow = {
  id: string;
  customer: string;
  purchaser: string | null;
  status: string;
  lookup_key: string | null;
  billing_interval: string | null;
  seats: number;
  period_end: number | null;
  cancel_at: number | null;
  test: number;
  created_at: number;
  read_at: number;
};

/** An invoice as it was last fetched. */
export type InvoiceRow = {
  id: string;
  subscription: string | null;
  number: string | null;
  status: string;
  currency: string;
  total: number;
  created_at: number;
  url: string | null;
  read_at: number;
};

export type SeatRow = { subscription: string; email: string; added_at: number };

/** An event that was taken: its ID and no more, so that it is taken once. */
export type EventRow = { id: string; type: string; created_at: number; received_at: number };

/**
 * An object to fetch. `wanted` grows with every hint; it is up to date when `synced` has caught up. `claim` is the token of
 * who fetches it now.
 */
export type PaymentObjectRow = {
  kind: PaymentObjectKind;
  id: string;
  wanted: number;
  synced: number;
  attempts: number;
  not_before: number;
  claim: string | null;
  claimed_until: number;
  failure: string | null;
};

/** The one row that says how far the provider's events are known, in epoch ms; null before the first time. */
export type CatchUpRow = {
  id: number;
  seen_until: number | null;
  caught_up_at: number | null;
  failure: string | null;
};

export type BillingTables = {
  billing_orders: OrderRow;
  billing_subscriptions: SubscriptionRow;
  billing_invoices: InvoiceRow;
  billing_seats: SeatRow;
  billing_events: EventRow;
  billing_objects: PaymentObjectRow;
  billing_catch_up: CatchUpRow;
};

export const billingMigrations: Migrations = {
  '2026-11-23-billing': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('billing_orders')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('plan', 'text', (c) => c.notNull())
        .addColumn('billing_interval', 'text', (c) => c.notNull())
        .addColumn('seats', 'integer', (c) => c.notNull())
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('amount', 'bigint', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('checkout', 'text')
        .addColumn('url', 'text')
        .addColumn('subscription', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('billing_orders_email')
        .on('billing_orders')
        .columns(['email', 'created_at'])
        .execute();
      await db.schema
        .createIndex('billing_orders_checkout')
        .on('billing_orders')
        .column('checkout')
        .execute();
      await db.schema
        .createTable('billing_subscriptions')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('customer', 'text', (c) => c.notNull())
        .addColumn('purchaser', 'text')
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('lookup_key', 'text')
        .addColumn('billing_interval', 'text')
        .addColumn('seats', 'integer', (c) => c.notNull())
        .addColumn('period_end', 'bigint')
        .addColumn('cancel_at', 'bigint')
        .addColumn('test', 'integer', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('read_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('billing_subscriptions_purchaser')
        .on('billing_subscriptions')
        .column('purchaser')
        .execute();
      await db.schema
        .createTable('billing_invoices')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('subscription', 'text')
        .addColumn('number', 'text')
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('currency', 'text', (c) => c.notNull())
        .addColumn('total', 'bigint', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('url', 'text')
        .addColumn('read_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('billing_invoices_subscription')
        .on('billing_invoices')
        .columns(['subscription', 'created_at'])
        .execute();
      await db.schema
        .createTable('billing_seats')
        .addColumn('subscription', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('added_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('billing_seats_key', ['subscription', 'email'])
        .execute();
      await db.schema
        .createTable('billing_events')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('billing_events_received')
        .on('billing_events')
        .column('received_at')
        .execute();
      await db.schema
        .createTable('billing_objects')
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('wanted', 'bigint', (c) => c.notNull())
        .addColumn('synced', 'bigint', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('not_before', 'bigint', (c) => c.notNull())
        .addColumn('claim', 'text')
        .addColumn('claimed_until', 'bigint', (c) => c.notNull())
        .addColumn('failure', 'text')
        .addPrimaryKeyConstraint('billing_objects_key', ['kind', 'id'])
        .execute();
      await db.schema
        .createTable('billing_catch_up')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('seen_until', 'bigint')
        .addColumn('caught_up_at', 'bigint')
        .addColumn('failure', 'text')
        .execute();
      // A migration is given the database without its tables; the one written to was made a line above.
      await (db as Kysely<BillingTables>)
        .insertInto('billing_catch_up')
        .values({ id: 1, seen_until: null, caught_up_at: null, failure: null })
        .execute();
    },
  },
};
