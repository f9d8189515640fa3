import type { Stripe } from 'stripe';

/** Decimals are strings on the wire; the provider's package turns them into objects. */
type OnWire<T> = { [K in keyof T]: K extends 'unit_amount_decimal' | 'amount_decimal' ? string : T[K] };
export type PriceObject = OnWire<Stripe.Price>;
type PlanObject = OnWire<Stripe.Plan>;
type ItemObject = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & { price: PriceObject; plan: PlanObject };
export type SubscriptionObject = Omit<Stripe.Subscription, 'items'> & { items: Stripe.ApiList<ItemObject> };

/** A price as the sandbox's account has it. Amounts in minor units. */
export type SandboxPrice = {
  readonly id: string;
  readonly lookupKey: string;
  readonly product: string;
  readonly currency: string;
  readonly amount: number;
  readonly interval: 'month' | 'year';
};

export type SandboxCustomer = { readonly id: string; readonly email: string; readonly created: number };

/** A subscription of the account; what changes over time. Times in epoch seconds, as the provider has them. */
export type SandboxSubscription = {
  readonly id: string;
  readonly item: string;
  readonly customer: SandboxCustomer;
  readonly price: SandboxPrice;
  readonly metadata: Record<string, string>;
  readonly created: number;
  seats: number;
  status: Stripe.Subscription.Status;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  canceledAt: number | null;
  latestInvoice: string | null;
};

export type SandboxInvoice = {
  readonly id: string;
  readonly subscription: SandboxSubscription;
  readonly number: string;
  readonly created: number;
  readonly total: number;
  readonly reason: Stripe.Invoice.BillingReason;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  paidAt: number | null;
  attempts: number;
};

export type SandboxCheckout = {
  readonly id: string;
  readonly created: number;
  readonly expiresAt: number;
  readonly email: string;
  readonly order: string;
  readonly price: SandboxPrice;
  readonly seats: number;
  readonly metadata: Record<string, string>;
  readonly subscriptionMetadata: Record<string, string>;
  readonly successUrl: string;
  readonly cancelUrl: string;
  status: 'open' | 'complete' | 'expired';
  subscription: SandboxSubscription | null;
};

// Every field that the provider's OpenAPI description requires is here: its package's types are made from it, and the
// compiler compares.

export function priceObject(price: SandboxPrice): PriceObject {
  return {
    id: price.id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: 1_767_225_600,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: {},
    nickname: null,
    product: price.product,
    recurring: {
      interval: price.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'exclusive',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: price.amount,
    unit_amount_decimal: String(price.amount),
  };
}

function planObject(price: SandboxPrice): PlanObject {
  return {
    id: price.id,
    object: 'plan',
    active: true,
    amount: price.amount,
    amount_decimal: String(price.amount),
    billing_scheme: 'per_unit',
    created: 1_767_225_600,
    currency: price.currency,
    interval: price.interval,
    interval_count: 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

function customerObject({ id, email, created }: SandboxCustomer): Stripe.Customer {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: 'eur',
    default_source: null,
    delinquent: false,
    description: null,
    email,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export function subscriptionObject(
  subscription: SandboxSubscription,
  { expandCustomer = false }: { readonly expandCustomer?: boolean } = {},
): SubscriptionObject {
  const { id, customer, price } = subscription;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: subscription.created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: subscription.cancelAtPeriodEnd ? subscription.periodEnd : null,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: subscription.created,
    currency: price.currency,
    customer: expandCustomer ? customerObject(customer) : customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: subscription.status === 'canceled' ? subscription.canceledAt : null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [
        {
          id: subscription.item,
          object: 'subscription_item',
          billing_thresholds: null,
          created: subscription.created,
          current_period_end: subscription.periodEnd,
          current_period_start: subscription.periodStart,
          current_trial: null,
          discounts: [],
          metadata: {},
          plan: planObject(price),
          price: priceObject(price),
          quantity: subscription.seats,
          subscription: id,
          tax_rates: [],
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: subscription.latestInvoice,
    livemode: false,
    managed_payments: null,
    metadata: subscription.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: subscription.created,
    status: subscription.status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  };
}

export function invoiceObject(invoice: SandboxInvoice, origin: string): Stripe.Invoice {
  const { id, subscription, total, status } = invoice;
  const { customer, price } = subscription;
  const isFinal = status !== 'draft';
  const paid = status === 'paid' ? total : 0;
  return {
    id,
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Northgate sandbox',
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: paid,
    amount_remaining: total - paid,
    amount_shipping: 0,
    application: null,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0,
    auto_advance: status === 'draft' || status === 'open',
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: invoice.reason,
    collection_method: 'charge_automatically',
    created: invoice.created,
    currency: price.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: isFinal ? invoice.created : null,
    ending_balance: isFinal ? 0 : null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: isFinal ? `${origin}/i/${id}` : null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: isFinal ? invoice.number : null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: subscription.periodEnd,
    period_start: subscription.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status,
    status_transitions: {
      finalized_at: isFinal ? invoice.created : null,
      marked_uncollectible_at: null,
      paid_at: invoice.paidAt,
      voided_at: null,
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

export function checkoutObject(checkout: SandboxCheckout, origin: string): Stripe.Checkout.Session {
  const { id, price, seats, status, subscription } = checkout;
  const total = price.amount * seats;
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: checkout.cancelUrl,
    client_reference_id: checkout.order,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: checkout.created,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: subscription?.customer.id ?? null,
    customer_account: null,
    customer_creation: 'always',
    customer_details: null,
    customer_email: checkout.email,
    discounts: [],
    expires_at: checkout.expiresAt,
    integration_identifier: null,
    invoice: subscription?.latestInvoice ?? null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: checkout.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: status === 'complete' ? 'paid' : 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status,
    submit_type: null,
    subscription: subscription?.id ?? null,
    success_url: checkout.successUrl,
    total_details: { amount_discount: 0, amount_shipping: null, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${origin}/c/pay/${id}` : null,
    wallet_options: null,
  };
}
