import type { Stripe } from 'stripe';
import type { Checkout, Quote } from '#shared/api/billing.ts';
import { followedEvents, hintOf, type PaymentHint } from './hint.ts';
import { loadStripe } from './load-stripe.ts';

/**
 * The provider's API version, on every request and on the endpoint of its events: a newer package does not change what the
 * console reads. The types hold it to the package's own.
 */
export const apiVersion = '2026-10-28.endive' satisfies NonNullable<Stripe.StripeConfig['apiVersion']>;

/** Longest time for one request, in ms, and how often it is tried again after a fault of the network or the provider. */
const patienceMs = 15_000;
const retries = 1;
const pageLength = 100;

/** What the provider says of a subscription, as far as the console stores it. Times in epoch ms. */
export type SubscriptionFacts = {
  readonly id: string;
  readonly customer: string;
  /** Lower case; from what the console wrote at checkout, else the customer's. */
  readonly purchaser: string | undefined;
  readonly status: string;
  /** Lookup key of its first item's price. */
  readonly lookupKey: string | undefined;
  readonly interval: string | undefined;
  readonly seats: number;
  readonly periodEnd: number | undefined;
  readonly cancelAt: number | undefined;
  readonly test: boolean;
  readonly createdAt: number;
};

/** What the provider says of an invoice. Amounts in minor units, times in epoch ms. */
export type InvoiceFacts = {
  readonly id: string;
  /** Undefined for an invoice of no subscription. */
  readonly subscription: string | undefined;
  readonly number: string | undefined;
  readonly status: string;
  readonly currency: string;
  readonly total: number;
  readonly createdAt: number;
  readonly url: string | undefined;
};

/** What the provider says of a checkout. */
export type CheckoutFacts = {
  readonly id: string;
  /** What the console named it. */
  readonly order: string | undefined;
  readonly status: 'open' | 'complete' | 'expired';
  readonly subscription: string | undefined;
};

export type PaymentPrice = {
  readonly id: string;
  readonly currency: string;
  readonly amount: number | undefined;
  readonly interval: string | undefined;
};

/** A page of a list, newest first; `next` continues it. */
export type PaymentPage<T> = { readonly items: readonly T[]; readonly next: string | undefined };

export type CheckoutOrder = {
  /** The console's own ID of the order; a second try with it makes no second checkout. */
  readonly id: string;
  readonly purchaser: string;
  readonly price: string;
  readonly quote: Quote;
  /** Pages of the console to return to. */
  readonly successUrl: string;
  readonly cancelUrl: string;
};

/** The payment provider, as far as the console uses it. Everything throws `PaymentsError` when it fails. */
export type Payments = {
  /** Undefined for one the provider does not have (any more). */
  subscription(id: string): Promise<SubscriptionFacts | undefined>;
  invoice(id: string): Promise<InvoiceFacts | undefined>;
  checkout(id: string): Promise<CheckoutFacts | undefined>;
  /** Events since a moment (epoch ms); the provider keeps 30 days of them. */
  events(since: number, after: string | undefined): Promise<PaymentPage<PaymentHint>>;
  subscriptionIds(after: string | undefined): Promise<PaymentPage<string>>;
  invoiceIds(after: string | undefined): Promise<PaymentPage<string>>;
  price(lookupKey: string): Promise<PaymentPrice | undefined>;
  startCheckout(order: CheckoutOrder): Promise<Checkout & { readonly id: string }>;
};

/** A failure of the provider, in a sentence for people. Never holds a key or what was sent. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  /** Ms to wait before it is asked again, where it said so. */
  readonly retryAfter: number | undefined;
  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

export type PaymentsSettings = {
  /** Address of the API, as it is set now. */
  readonly url: () => URL;
  /** The secret key as it is now; undefined while payments are not set up. */
  readonly key: () => string | undefined;
};

/** Returns the payment provider, through its own package. Everything throws `PaymentsError` while no key is set. */
export function createStripePayments({ url, key }: PaymentsSettings): Payments {
  const client = async (): Promise<Stripe> => {
    const secret = key();
    if (secret === undefined)
      throw new PaymentsError(
        'Payments are not set up: STRIPE_SECRET_KEY is not set. Set it in Settings, Keys.',
      );
    const StripeClient = await loadStripe();
    const { protocol, hostname, port } = url();
    return new StripeClient(secret, {
      apiVersion,
      timeout: patienceMs,
      maxNetworkRetries: retries,
      telemetry: false,
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    });
  };
  const asked = async <T>(ask: (stripe: Stripe) => Promise<T>): Promise<T> => {
    try {
      return await ask(await client());
    } catch (error) {
      throw await explained(error);
    }
  };
  const found = <T>(ask: (stripe: Stripe) => Promise<T>): Promise<T | undefined> =>
    asked(async (stripe) => {
      try {
        return await ask(stripe);
      } catch (error) {
        if (await isMissing(error)) return undefined;
        throw error;
      }
    });
  const page = <T extends { readonly id?: string }, R>(
    list: Stripe.ApiList<T>,
    read: (item: T) => R,
  ): PaymentPage<R> => ({
    items: list.data.map(read),
    next: list.has_more ? list.data.at(-1)?.id : undefined,
  });
  const from = (after: string | undefined) => ({
    limit: pageLength,
    ...(after === undefined ? {} : { starting_after: after }),
  });

  return {
    subscription: (id) =>
      found(async (stripe) =>
        subscriptionFacts(await stripe.subscriptions.retrieve(id, { expand: ['customer'] })),
      ),
    invoice: (id) => found(async (stripe) => invoiceFacts(await stripe.invoices.retrieve(id))),
    checkout: (id) =>
      found(async (stripe) => {
        const session = await stripe.checkout.sessions.retrieve(id);
        return {
          id,
          order: session.client_reference_id ?? undefined,
          status:
            session.status === 'complete' ? 'complete' : session.status === 'expired' ? 'expired' : 'open',
          subscription: idOf(session.subscription),
        };
      }),
    events: (since, after) =>
      asked(async (stripe) =>
        page(
          await stripe.events.list({
            types: [...followedEvents],
            created: { gte: Math.floor(since / 1000) },
            ...from(after),
          }),
          ({ id, type, created, data }) =>
            hintOf({ id, type, created, objectId: 'id' in data.object ? data.object.id : undefined }),
        ),
      ),
    subscriptionIds: (after) =>
      asked(async (stripe) =>
        page(await stripe.subscriptions.list({ status: 'all', ...from(after) }), ({ id }) => id),
      ),
    invoiceIds: (after) =>
      asked(async (stripe) => {
        const { items, next } = page(await stripe.invoices.list(from(after)), ({ id }) => id);
        return { items: items.flatMap((id) => id ?? []), next };
      }),
    price: (lookupKey) =>
      asked(async (stripe) => {
        const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
        const [price] = data;
        return price === undefined
          ? undefined
          : {
              id: price.id,
              currency: price.currency,
              amount: price.unit_amount ?? undefined,
              interval: price.recurring?.interval_count === 1 ? price.recurring.interval : undefined,
            };
      }),
    startCheckout: (order) => asked((stripe) => startCheckout(stripe, order)),
  };
}

async function startCheckout(stripe: Stripe, order: CheckoutOrder): Promise<Checkout & { id: string }> {
  const metadata = { console_purchaser: order.purchaser, console_plan: order.quote.plan };
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      line_items: [{ price: order.price, quantity: order.quote.seats }],
      customer_email: order.purchaser,
      client_reference_id: order.id,
      metadata,
      subscription_data: { metadata },
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
    },
    { idempotencyKey: `console-order-${order.id}` },
  );
  if (session.url === null) throw new PaymentsError('The payment provider made a checkout without a page.');
  return { id: session.id, url: session.url, expires_at: new Date(session.expires_at * 1000).toISOString() };
}

function subscriptionFacts(subscription: Stripe.Subscription): SubscriptionFacts {
  const { id, customer, metadata, status, items, cancel_at, livemode, created } = subscription;
  const [first] = items.data;
  const email =
    typeof customer === 'string' || customer.deleted === true ? undefined : (customer.email ?? undefined);
  const purchaser = metadata.console_purchaser?.trim() || email;
  // Of several items the latest end: the seats of a plan are all of them together.
  const periodEnd = Math.max(0, ...items.data.map((item) => item.current_period_end));
  const ends = cancel_at ?? (subscription.cancel_at_period_end ? periodEnd : undefined);
  return {
    id,
    customer: idOf(customer) ?? '',
    purchaser: purchaser?.toLowerCase(),
    status,
    lookupKey: first?.price.lookup_key ?? undefined,
    interval: first?.price.recurring?.interval,
    seats: items.data.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0),
    periodEnd: periodEnd === 0 ? undefined : periodEnd * 1000,
    cancelAt: ends === undefined ? undefined : ends * 1000,
    test: !livemode,
    createdAt: created * 1000,
  };
}

function invoiceFacts(invoice: Stripe.Invoice): InvoiceFacts {
  return {
    id: invoice.id ?? '',
    subscription: idOf(invoice.parent?.subscription_details?.subscription),
    number: invoice.number ?? undefined,
    status: invoice.status ?? 'draft',
    currency: invoice.currency,
    total: invoice.total,
    createdAt: invoice.created * 1000,
    url: invoice.hosted_invoice_url ?? undefined,
  };
}

function idOf(object: string | { readonly id?: string } | null | undefined): string | undefined {
  return typeof object === 'string' ? object : (object?.id ?? undefined);
}

/** Returns whether the provider does not have what was asked for. */
async function isMissing(error: unknown): Promise<boolean> {
  const { errors } = await loadStripe();
  return error instanceof errors.StripeInvalidRequestError && error.statusCode === 404;
}

/** Returns the sentence for a failure; the provider's own words may quote a key or what was sent, and are left out. */
async function explained(error: unknown): Promise<Error> {
  if (error instanceof PaymentsError || !(error instanceof Error)) return new PaymentsError(String(error));
  const { errors } = await loadStripe();
  if (!(error instanceof errors.StripeError)) return error;
  const code = error.code === undefined ? '' : ` (${error.code})`;
  switch (true) {
    case error instanceof errors.StripeAuthenticationError:
      return new PaymentsError(
        'The payment provider refused STRIPE_SECRET_KEY: enter the secret key of the account in Settings, Keys.',
      );
    case error instanceof errors.StripePermissionError:
      return new PaymentsError(
        'STRIPE_SECRET_KEY may not do this: a restricted key needs write access to Checkout Sessions and read access to Subscriptions, Invoices, Customers, Prices and Events.',
      );
    case error instanceof errors.StripeRateLimitError:
      return new PaymentsError(
        'The payment provider is limiting requests: try again in a minute.',
        waitOf(error),
      );
    case error instanceof errors.StripeConnectionError:
      return new PaymentsError('The payment provider could not be reached: check the network and try again.');
    case error instanceof errors.StripeInvalidRequestError:
      return new PaymentsError(
        `The payment provider refused the request${code}: compare resources/plans.yaml with its prices. Request ${error.requestId ?? 'unknown'}.`,
      );
    default:
      return new PaymentsError(
        `The payment provider failed with status ${error.statusCode ?? 'unknown'}${code}: try again in a minute.`,
        waitOf(error),
      );
  }
}

function waitOf({ headers }: Stripe.errors.StripeError): number | undefined {
  const seconds = Number(headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 600) * 1000 : undefined;
}
