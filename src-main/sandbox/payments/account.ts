import { randomBytes } from 'node:crypto';
import type { Stripe } from 'stripe';
import type { Plan } from '#shared/api/billing.ts';
import {
  checkoutObject,
  invoiceObject,
  type SandboxCheckout,
  type SandboxCustomer,
  type SandboxInvoice,
  type SandboxPrice,
  type SandboxSubscription,
  subscriptionObject,
} from './objects.ts';

/** An event of the account: what its object was at that moment, which may be long past when it is delivered. */
export type SandboxEvent = {
  readonly id: string;
  readonly type: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly json: string;
};

export type SandboxOrder = Pick<
  SandboxCheckout,
  'email' | 'order' | 'price' | 'seats' | 'metadata' | 'subscriptionMetadata' | 'successUrl' | 'cancelUrl'
>;

type Options = {
  readonly plans: readonly Plan[];
  readonly currency: string;
  readonly apiVersion: string;
  /** Epoch ms. */
  readonly now: () => number;
  /** Address of the provider, for its pages. */
  readonly origin: () => string;
  readonly onEvent: (event: SandboxEvent) => void;
};

const month = 30 * 86_400;
const checkoutLasts = 86_400;

/** An account at the payment provider: its prices, customers, subscriptions and invoices, and what happens to them. */
export type SandboxAccount = ReturnType<typeof createSandboxAccount>;

/** An empty account with the prices of the catalogue. */
export function createSandboxAccount({ plans, currency, apiVersion, now, origin, onEvent }: Options) {
  const prices: SandboxPrice[] = plans.flatMap((plan) =>
    plan.prices.map(({ interval, amount, lookup_key }) => ({
      id: `price_${lookup_key}`,
      lookupKey: lookup_key,
      product: `prod_${plan.id}`,
      currency,
      amount,
      interval,
    })),
  );
  const customers = new Map<string, SandboxCustomer>();
  const subscriptions = new Map<string, SandboxSubscription>();
  const invoices = new Map<string, SandboxInvoice>();
  const checkouts = new Map<string, SandboxCheckout>();
  const events: SandboxEvent[] = [];
  let invoiceNumber = 0;

  const seconds = (): number => Math.floor(now() / 1000);
  const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

  const emit = (type: string, object: unknown): void => {
    const event = { id: newId('evt'), type, created: seconds() };
    const json = JSON.stringify({
      id: event.id,
      object: 'event',
      api_version: apiVersion,
      created: event.created,
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    } satisfies Omit<Stripe.Event, 'data' | 'type'> & { data: unknown; type: string });
    events.push({ ...event, json });
    onEvent({ ...event, json });
  };
  const changed = (subscription: SandboxSubscription, what = 'updated'): void =>
    emit(`customer.subscription.${what}`, subscriptionObject(subscription));
  const told = (invoice: SandboxInvoice, what: string): void =>
    emit(`invoice.${what}`, invoiceObject(invoice, origin()));

  const bill = (
    subscription: SandboxSubscription,
    reason: SandboxInvoice['reason'],
    created = seconds(),
  ): SandboxInvoice => {
    invoiceNumber += 1;
    const invoice: SandboxInvoice = {
      id: newId('in'),
      subscription,
      number: `NG-${String(invoiceNumber).padStart(4, '0')}`,
      created,
      total: subscription.price.amount * subscription.seats,
      reason,
      status: 'draft',
      paidAt: null,
      attempts: 0,
    };
    invoices.set(invoice.id, invoice);
    subscription.latestInvoice = invoice.id;
    told(invoice, 'created');
    return invoice;
  };
  const pay = (invoice: SandboxInvoice, at = seconds()): void => {
    if (invoice.status === 'draft') {
      invoice.status = 'open';
      told(invoice, 'finalized');
    }
    invoice.status = 'paid';
    invoice.paidAt = at;
    invoice.attempts += 1;
    told(invoice, 'paid');
  };

  const customerOf = (email: string): SandboxCustomer => {
    const known = [...customers.values()].find((customer) => customer.email === email);
    const customer = known ?? { id: newId('cus'), email, created: seconds() };
    customers.set(customer.id, customer);
    return customer;
  };

  const start = (order: {
    readonly email: string;
    readonly price: SandboxPrice;
    readonly seats: number;
    readonly metadata: Record<string, string>;
    readonly created?: number;
  }): SandboxSubscription => {
    const created = order.created ?? seconds();
    const subscription: SandboxSubscription = {
      id: newId('sub'),
      item: newId('si'),
      customer: customerOf(order.email),
      price: order.price,
      metadata: order.metadata,
      created,
      seats: order.seats,
      status: 'incomplete',
      periodStart: created,
      periodEnd: created + (order.price.interval === 'year' ? 365 * 86_400 : month),
      cancelAtPeriodEnd: false,
      canceledAt: null,
      latestInvoice: null,
    };
    subscriptions.set(subscription.id, subscription);
    changed(subscription, 'created');
    pay(bill(subscription, 'subscription_create', created), created);
    subscription.status = 'active';
    changed(subscription);
    return subscription;
  };

  /** What the account can do to a subscription, by name; each changes it and tells so. */
  const acts = {
    /** A period ends and the next is paid. */
    renew(subscription: SandboxSubscription, at = seconds()): void {
      subscription.periodStart = subscription.periodEnd;
      subscription.periodEnd += subscription.price.interval === 'year' ? 365 * 86_400 : month;
      if (subscription.cancelAtPeriodEnd) {
        acts.cancel(subscription);
        return;
      }
      pay(bill(subscription, 'subscription_cycle', at), at);
      subscription.status = 'active';
      changed(subscription);
    },
    /** A period ends and the card is declined. */
    decline(subscription: SandboxSubscription): void {
      const invoice = bill(subscription, 'subscription_cycle');
      invoice.status = 'open';
      told(invoice, 'finalized');
      invoice.attempts += 1;
      subscription.status = 'past_due';
      told(invoice, 'payment_failed');
      changed(subscription);
    },
    /** The declined card is replaced. */
    recover(subscription: SandboxSubscription): void {
      const invoice = invoices.get(subscription.latestInvoice ?? '');
      if (invoice?.status !== 'open') {
        acts.renew(subscription);
        return;
      }
      pay(invoice);
      subscription.status = 'active';
      changed(subscription);
    },
    resize(subscription: SandboxSubscription, seats = 1 + (subscription.seats % 9)): void {
      subscription.seats = seats;
      changed(subscription);
    },
    schedule(subscription: SandboxSubscription): void {
      subscription.cancelAtPeriodEnd = !subscription.cancelAtPeriodEnd;
      changed(subscription);
    },
    cancel(subscription: SandboxSubscription): void {
      subscription.status = 'canceled';
      subscription.canceledAt = seconds();
      const invoice = invoices.get(subscription.latestInvoice ?? '');
      if (invoice?.status === 'open') {
        invoice.status = 'void';
        told(invoice, 'voided');
      }
      changed(subscription, 'deleted');
    },
  };

  return {
    prices,
    subscriptions,
    invoices,
    checkouts,
    /** Oldest first. */
    events,
    start,
    acts,
    openCheckout(order: SandboxOrder): SandboxCheckout {
      const created = seconds();
      const checkout: SandboxCheckout = {
        ...order,
        id: newId('cs_test'),
        created,
        expiresAt: created + checkoutLasts,
        status: 'open',
        subscription: null,
      };
      checkouts.set(checkout.id, checkout);
      return checkout;
    },
    /** The person pays. */
    complete(checkout: SandboxCheckout): void {
      if (checkout.status !== 'open') return;
      const { email, price, seats, subscriptionMetadata } = checkout;
      checkout.subscription = start({ email, price, seats, metadata: subscriptionMetadata });
      checkout.status = 'complete';
      emit('checkout.session.completed', checkoutObject(checkout, origin()));
    },
    /** The person leaves it until it is too late. */
    expire(checkout: SandboxCheckout): void {
      if (checkout.status !== 'open') return;
      checkout.status = 'expired';
      emit('checkout.session.expired', checkoutObject(checkout, origin()));
    },
  };
}
