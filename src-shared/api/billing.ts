import { z } from 'zod';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';

/** An email address, lower case: purchasers and seat holders are told apart by it. */
const emailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/, 'must be an email address')
  .transform((text) => text.toLowerCase());

export const billingInterval = z.enum(['month', 'year']);
export type BillingInterval = z.infer<typeof billingInterval>;

const planId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be the ID of a plan');
/** ISO 4217 in lower case, as the payment provider writes it. */
const currency = z.string().regex(/^[a-z]{3}$/);
/** Whole minor units of the currency: cents. */
const amount = z.number().int().nonnegative();

/** A subscription plan as `resources/plans.yaml` publishes it. */
export const plan = z.object({
  id: planId,
  name: z.string().min(1).max(60),
  /** Who it is for, in a sentence. */
  summary: z.string().min(1).max(300),
  features: z.array(z.string().min(1).max(120)).max(20),
  seats: z.object({ least: z.number().int().min(1), most: z.number().int().min(1).max(100_000) }),
  /** Price of one seat for each interval it is offered for, without tax. */
  prices: z
    .array(
      z.object({
        interval: billingInterval,
        amount,
        /** Lookup key of the price at the payment provider. */
        lookup_key: z.string().regex(/^[a-z0-9_]{1,100}$/),
      }),
    )
    .min(1),
});
export type Plan = z.infer<typeof plan>;

export const planCatalogue = z.object({ currency, plans: z.array(plan).min(1) });
export type PlanCatalogue = z.infer<typeof planCatalogue>;

/** What an order costs by the catalogue. Tax is added by the payment provider. */
export const quote = z.object({
  plan: planId,
  interval: billingInterval,
  seats: z.number().int().min(1),
  currency,
  /** Of one seat. */
  amount,
  total: amount,
});
export type Quote = z.infer<typeof quote>;

const order = {
  plan: planId,
  interval: billingInterval.default('month'),
  seats: z.number().int().min(1).max(100_000).default(1),
};

/** The provider's page where an order is paid. */
const checkout = z.object({ url: z.url({ protocol: /^https?$/ }), expires_at: z.iso.datetime() });
export type Checkout = z.infer<typeof checkout>;

/** The provider's states of a subscription (https://docs.stripe.com/api/subscriptions/object#subscription_object-status). */
export const subscription = z.object({
  id: z.string(),
  /** Absent when the provider's price is none of the catalogue. */
  plan: planId.optional(),
  interval: billingInterval.optional(),
  status: z.string(),
  /** True when its seats can be used: active, trialing, or past due within the provider's retries. */
  usable: z.boolean(),
  seats: z.number().int().nonnegative(),
  current_period_end: z.iso.datetime().optional(),
  cancel_at: z.iso.datetime().optional(),
  /** True for a subscription without real money. */
  test: z.boolean(),
  /** Time of the read from the provider that these facts are from. */
  read_at: z.iso.datetime(),
});
export type Subscription = z.infer<typeof subscription>;

export const invoice = z.object({
  id: z.string(),
  /** Absent while it is a draft. */
  number: z.string().optional(),
  status: z.string(),
  currency: z.string(),
  total: z.number().int(),
  created_at: z.iso.datetime(),
  /** Page of the invoice at the provider. */
  url: z.url({ protocol: /^https?$/ }).optional(),
});
export type Invoice = z.infer<typeof invoice>;

const seat = z.object({ email: z.string(), added_at: z.iso.datetime() });

/** Who holds seats of the caller's subscription; without one nothing but the reading. */
export const seatList = z.object({
  ...readingFields,
  subscription: subscription.optional(),
  seats: z.array(seat),
  /** Seats that can still be given away; 0 when more are held than the subscription has. */
  free: z.number().int().nonnegative(),
});
export type SeatList = z.infer<typeof seatList>;

export const billingOverview = z.object({
  ...readingFields,
  /** Whether orders can be paid here; else `missing` says what is not set. */
  payments: z.object({
    configured: z.boolean(),
    missing: z.array(z.string()),
    /** Whether events of the provider are taken; without them the console asks every few minutes. */
    events: z.boolean(),
    /** The provider's API version that the console speaks. */
    api_version: z.string(),
  }),
  subscriptions: z.array(subscription),
  invoices: z.array(invoice),
  /** An order of the caller that is not paid yet, the newest. */
  pending: z.object({ quote, created_at: z.iso.datetime(), checkout: checkout.optional() }).optional(),
});
export type BillingOverview = z.infer<typeof billingOverview>;

export const billingRoutes = [
  defineRoute({
    id: 'billing.plans',
    method: 'GET',
    path: '/api/plans',
    access: { kind: 'open' },
    summary: 'The public catalogue of subscription plans.',
    answer: planCatalogue,
  }),
  defineRoute({
    id: 'billing.signup',
    method: 'POST',
    path: '/api/signup',
    access: { kind: 'open' },
    summary:
      'Public sign-up: keeps a pending subscription and answers with a checkout. Rate limited; with RECAPTCHA_SECRET_KEY set it needs a solved reCAPTCHA.',
    body: z.strictObject({ email: emailAddress, ...order, recaptcha: z.string().max(8_192).optional() }),
    answer: z.object({
      state: z.literal('pending'),
      quote,
      /** Absent when no payment provider is set up here; `next` says what happens then. */
      checkout: checkout.optional(),
      next: z.string(),
    }),
  }),
  defineRoute({
    id: 'billing.checkout',
    method: 'POST',
    path: '/api/checkout',
    access: { kind: 'read' },
    summary:
      "A quote and, where the payment provider is set up, the provider's page to pay it for the person who is signed in.",
    body: z.strictObject(order),
    answer: z.object({
      quote,
      checkout: checkout.optional(),
      /** Why there is no checkout; absent with one. */
      why_not: z.string().optional(),
    }),
  }),
  defineRoute({
    id: 'billing.overview',
    method: 'GET',
    path: '/api/billing',
    access: { kind: 'own' },
    summary: "The caller's subscriptions, invoices and pending order, and whether payments are set up.",
    answer: billingOverview,
  }),
  defineRoute({
    id: 'billing.seats',
    method: 'GET',
    path: '/api/billing/seats',
    access: { kind: 'own' },
    summary: "Who holds seats of the caller's subscription.",
    answer: seatList,
  }),
  defineRoute({
    id: 'billing.addSeat',
    method: 'POST',
    path: '/api/billing/seats',
    access: { kind: 'own' },
    summary:
      "Gives a seat of the caller's subscription to somebody; to who holds one already it changes nothing. 404 without a subscription, 422 when no seat is free.",
    body: z.strictObject({ email: emailAddress }),
    answer: seatList,
  }),
  defineRoute({
    id: 'billing.removeSeat',
    method: 'DELETE',
    path: '/api/billing/seats',
    access: { kind: 'own' },
    summary: "Takes a seat of the caller's subscription back. 404 when they hold none.",
    query: z.object({ email: emailAddress }),
    answer: seatList,
  }),
  defineRoute({
    id: 'billing.event',
    method: 'POST',
    path: '/api/stripe/webhook',
    access: { kind: 'signature', secret: 'STRIPE_WEBHOOK_SECRET' },
    summary:
      'Takes an event of the payment provider as a hint: what it names is fetched by its ID, and what was fetched is stored.',
    rawBody: true,
    body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    answer: z.object({
      received: z.literal(true),
      /** True when this event was taken before: nothing is done again. */
      duplicate: z.boolean(),
    }),
  }),
] as const;
