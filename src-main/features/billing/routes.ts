import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { BillingOverview, Quote, SeatList } from '#shared/api/billing.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { type Reading, storeReading } from '#shared/api/reading.ts';
import { ConsoleError } from '#shared/errors.ts';
import {
  apiVersion,
  type EventFault,
  type Payments,
  readPaymentEvent,
} from '../../sources/payments/index.ts';
import { type Audit, audited, circumstancesOf } from '../audit/index.ts';
import type { BillingBackground } from './background.ts';
import { takeHints } from './hints.ts';
import { openCheckout, pendingOrder, startOrder } from './orders.ts';
import { quoteOf, readPlans } from './plans.ts';
import { createSignUpLimits } from './sign-up-limits.ts';
import type { BillingTables } from './store.ts';
import { addSeat, invoicesOf, removeSeat, seatsOf, subscriptionsOf } from './subscriptions.ts';

/** A provider that was not asked for longer than this, in ms, is said to be: its events come at once, and the list every five minutes. */
const staleAfter = 900_000;
/** Longest time a first read waits for the provider, in ms. */
const mostWaiting = 3_000;

export type BillingKeys = {
  value(name: 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'RECAPTCHA_SECRET_KEY'): string | undefined;
};

export type BillingParts = {
  readonly db: () => Kysely<BillingTables>;
  readonly keys: BillingKeys;
  readonly payments: Payments;
  readonly background: BillingBackground;
  /** Returns whether a reCAPTCHA was solved here; throws when its provider cannot be asked. */
  readonly verifyRecaptcha: (secret: string, token: string) => Promise<boolean>;
  readonly audit: Audit;
  /** Origin that the provider leads a person back to. */
  readonly origin: () => string;
  readonly log: { warn(fields: object, message: string): void };
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** `/api/plans`, `/api/signup`, `/api/checkout`, `/api/billing…` and the payment provider's events. */
export function billingHandlers(parts: BillingParts): Handlers<Extract<RouteId, `billing.${string}`>> {
  const { db, keys, background, audit, now } = parts;
  const limits = createSignUpLimits(now);
  const payments = (): Payments | undefined =>
    keys.value('STRIPE_SECRET_KEY') === undefined ? undefined : parts.payments;

  const begin = (email: string, quote: Quote, tab: 'billing' | 'signUp') =>
    startOrder(
      { db: db(), payments: payments(), plans: readPlans(), now },
      {
        email,
        quote,
        successUrl: `${parts.origin()}/?tab=${tab}&checkout=done`,
        cancelUrl: `${parts.origin()}/?tab=${tab}&checkout=canceled`,
      },
    );

  const seatList = async (email: string): Promise<SeatList> => {
    const read = await reading();
    const [subscription] = await subscriptionsOf(db(), readPlans(), email);
    const seats = subscription === undefined ? [] : await seatsOf(db(), subscription.id);
    return {
      ...read,
      ...(subscription === undefined ? {} : { subscription }),
      seats,
      free: Math.max(0, (subscription?.usable === true ? subscription.seats : 0) - seats.length),
    };
  };

  /** A store that was never compared with the provider is, before it is read: such as that of a sandbox just started. */
  const firstCatchUp = async (): Promise<void> => {
    const { caught_up_at } = await db()
      .selectFrom('billing_catch_up')
      .select('caught_up_at')
      .executeTakeFirstOrThrow();
    if (caught_up_at !== null) return;
    const caughtUp = background
      .catchUp()
      .then(() => background.settled())
      .catch(() => undefined);
    await Promise.race([caughtUp, delay(mostWaiting, undefined, { ref: false })]);
  };

  /** From the store; incomplete while it is known to be behind the provider. */
  const reading = async (): Promise<Reading> => {
    if (payments() === undefined) return storeReading(now());
    await firstCatchUp();
    const { caught_up_at, failure } = await db()
      .selectFrom('billing_catch_up')
      .select(['caught_up_at', 'failure'])
      .executeTakeFirstOrThrow();
    const [behind] = await db()
      .selectFrom('billing_objects')
      .select('failure')
      .whereRef('wanted', '>', 'synced')
      .where('failure', 'is not', null)
      .limit(1)
      .execute();
    const unmeasured = [
      ...(caught_up_at === null || now() - caught_up_at > staleAfter
        ? [failure ?? 'The payment provider has not been asked yet.']
        : []),
      ...(behind?.failure == null ? [] : [`Something changed that was not fetched. ${behind.failure}`]),
    ];
    return storeReading(now(), [...new Set(unmeasured)]);
  };

  const seatAct = (
    action: 'billing.add_seat' | 'billing.remove_seat',
    email: string,
    call: Call,
    act: (subscription: string) => Promise<void>,
  ): Promise<SeatList> => {
    const purchaser = signedIn(call);
    return audited(
      audit,
      { actor: purchaser, action, target: email },
      circumstancesOf(call),
      async (event) => {
        const [subscription] = await subscriptionsOf(db(), readPlans(), purchaser);
        if (subscription === undefined)
          throw new ConsoleError(
            'NotFound',
            'You have no subscription: choose a plan on the Billing page first.',
          );
        event.record('', { subscription: subscription.id });
        await act(subscription.id);
        return seatList(purchaser);
      },
    );
  };

  return {
    'billing.plans': () => readPlans(),

    async 'billing.signup'({ body }, { address }) {
      const quote = quoteOf(readPlans(), body);
      limits.take(address, body.email);
      await checkPerson(parts, body.recaptcha);
      // The same whoever is named: an address that is known here is not told to who types it.
      const checkout = await begin(body.email, quote, 'signUp');
      return {
        state: 'pending',
        quote,
        ...(checkout === undefined ? {} : { checkout }),
        next:
          checkout === undefined
            ? 'The sign-up is stored. Payments are not set up on this console: its operators will contact you.'
            : 'Pay on the page of the payment provider. The subscription starts when the payment is confirmed.',
      };
    },

    async 'billing.checkout'({ body }, { caller: { email } }) {
      const quote = quoteOf(readPlans(), body);
      if (email === undefined)
        return { quote, why_not: 'Sign in to pay: a subscription belongs to a person.' };
      if (payments() === undefined)
        return {
          quote,
          why_not: 'Payments are not set up on this console: STRIPE_SECRET_KEY is not set (Settings, Keys).',
        };
      const checkout =
        (await openCheckout({ db: db(), now }, email, quote)) ?? (await begin(email, quote, 'billing'));
      return { quote, ...(checkout === undefined ? {} : { checkout }) };
    },

    async 'billing.overview'(_, call) {
      const email = signedIn(call);
      const read = await reading();
      const subscriptions = await subscriptionsOf(db(), readPlans(), email);
      const pending = await pendingOrder({ db: db(), now }, email);
      return {
        ...read,
        payments: paymentsState(keys),
        subscriptions,
        invoices: await invoicesOf(db(), subscriptions),
        ...(pending === undefined ? {} : { pending }),
      } satisfies BillingOverview;
    },

    'billing.seats': (_, call) => seatList(signedIn(call)),

    'billing.addSeat': ({ body: { email } }, call) =>
      seatAct('billing.add_seat', email, call, (subscription) =>
        addSeat(db(), { subscription, email, at: now() }),
      ),

    'billing.removeSeat': ({ query: { email } }, call) =>
      seatAct('billing.remove_seat', email, call, (subscription) =>
        removeSeat(db(), { subscription, email }),
      ),

    async 'billing.event'({ body }, call) {
      const secret = keys.value('STRIPE_WEBHOOK_SECRET') ?? '';
      const hint = await readPaymentEvent(body, {
        header: call.header('stripe-signature'),
        secret,
        now: now(),
      });
      if (typeof hint === 'string') throw refusedEvent(hint);
      const { objects, fresh } = await takeHints(db(), [hint], now());
      // Answered now that it cannot be forgotten; the provider waits for no fetch.
      if (objects.length > 0) background.kick();
      return { received: true, duplicate: !fresh.has(hint.id) };
    },
  };
}

function signedIn({ caller }: Call): string {
  // The class of the route admits nobody else.
  if (caller.email === undefined) throw new ConsoleError('NotSignedIn', 'You are not signed in.');
  return caller.email.toLowerCase();
}

function paymentsState(keys: BillingKeys): BillingOverview['payments'] {
  const missing = (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const).filter(
    (name) => keys.value(name) === undefined,
  );
  return {
    configured: !missing.includes('STRIPE_SECRET_KEY'),
    missing,
    events: missing.length === 0,
    api_version: apiVersion,
  };
}

async function checkPerson(
  { keys, verifyRecaptcha, log }: BillingParts,
  token: string | undefined,
): Promise<void> {
  const secret = keys.value('RECAPTCHA_SECRET_KEY');
  if (secret === undefined) return;
  if (token === undefined || token === '')
    throw new ConsoleError('Refused', 'Confirm that you are a person: solve the reCAPTCHA and try again.');
  let isPerson: boolean;
  try {
    isPerson = await verifyRecaptcha(secret, token);
  } catch (error) {
    // The message may hold no more than the host: what was sent stays out of it.
    log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'reCAPTCHA could not be checked');
    throw new ConsoleError('Unavailable', 'The reCAPTCHA could not be checked: try again in a minute.');
  }
  if (!isPerson)
    throw new ConsoleError(
      'Refused',
      'The reCAPTCHA did not confirm a person: reload the page and try again.',
    );
}

function refusedEvent(fault: EventFault): ConsoleError {
  switch (fault) {
    case 'unsigned':
      return new ConsoleError(
        'NotSignedIn',
        "The event's signature is missing, too old, or not made with STRIPE_WEBHOOK_SECRET.",
      );
    case 'future':
      return new ConsoleError('NotSignedIn', "The event's signature is from the future: compare the clocks.");
    case 'unreadable':
      return new ConsoleError('BadInput', 'The body is no event of the payment provider.');
  }
}
